import { useState } from 'preact/hooks';
import { useTexts } from '../ui/text.tsx';

/** Certified bytes, served by this service; a frame that says so where there are none. */
export function Picture({ file, alt }: { file: string | undefined; alt: string }) {
  const { images: words } = useTexts().certificate;
  const [isLost, setLost] = useState(false);
  if (file === undefined || isLost) {
    return (
      <div class="picture" data-empty="">
        <p class="small">{words.noPicture}</p>
      </div>
    );
  }
  return (
    <div class="picture">
      <img src={file} alt={alt} loading="lazy" decoding="async" onError={() => setLost(true)} />
    </div>
  );
}
