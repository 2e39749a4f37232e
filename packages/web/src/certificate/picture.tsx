import { useState } from 'preact/hooks';
import { useTexts } from '../ui/text.tsx';

/** Certified bytes, served by this service; without them, an empty frame with a note. */
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
