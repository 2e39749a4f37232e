import type { ImageReport, ProductView } from '@touchstone/contract';
import { ImageRow } from '../health/image-row.tsx';
import { useAction } from '../loading.ts';
import { ErrorNotice } from '../parts/notices.tsx';
import { useFormat, useTools, useWords } from '../tools.ts';

interface ProductImagesProps {
  readonly product: ProductView;
  /** State of its images. */
  readonly reports: readonly ImageReport[];
  readonly onRetry: () => void;
}

/** The images of a product in order, each with its state and what to do. */
export function ProductImages({ product, reports, onRetry }: ProductImagesProps) {
  const { client, announce } = useTools();
  const { product: words, images: imageWords } = useWords();
  const { count } = useFormat();
  const { storeId, images } = product;
  const retry = useAction(async (imageId: string) => {
    const params = { store_id: storeId };
    const { retried } = await client.call('retryFailedImages', { params, body: { imageIds: [imageId] } });
    announce(count(imageWords.retried, retried));
    onRetry();
  });
  if (images.length === 0) return null;
  return (
    <section>
      <h2>{words.images}</h2>
      <ErrorNotice error={retry.error} />
      <ul class="rows">
        {images
          .flatMap(({ id }) => reports.find((report) => report.id === id) ?? [])
          .map((report) => (
            <ImageRow key={report.id} image={report} onRetry={() => void retry.run(report.id)}>
              {report.state === 'failed' || report.state === 'no_image' ? null : (
                <a href={`/api/v1/mc4p/assets/${report.id}/certificate`}>{words.certificate}</a>
              )}
            </ImageRow>
          ))}
      </ul>
    </section>
  );
}
