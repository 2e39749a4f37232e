import type { ImageReport, ProductView } from '@touchstone/contract';
import type { ComponentChildren } from 'preact';
import { hasPart } from '../../ui/page-data.ts';
import { ImageRow } from '../health/image-row.tsx';
import { useAction, useCall } from '../loading.ts';
import { ActionButton } from '../parts/form.tsx';
import { ErrorNotice } from '../parts/notices.tsx';
import { useFormat, useTools, useWords } from '../tools.ts';

interface ProductImagesProps {
  readonly product: ProductView;
  /** State of its images. */
  readonly reports: readonly ImageReport[];
  readonly onRetry: () => void;
}

/** The images of a product in order, each with its state and what to do. */
export function ProductImages(props: ProductImagesProps) {
  if (props.product.images.length === 0) return null;
  return hasPart('picture-matches') ? <MarkedImages {...props} /> : <Images {...props} />;
}

/** The same, where each can be marked as the picture of the maker. */
function MarkedImages(props: ProductImagesProps) {
  const { client, announce } = useTools();
  const { product: words, saved } = useWords();
  const params = { store_id: props.product.storeId };
  const loaded = useCall('getPictureSettings', { params });
  const change = useAction(async (imageId: string, isMakers: boolean) => {
    // as it is now: others may have marked some
    const now = await client.call('getPictureSettings', { params });
    const others = now.makersImages.filter((id) => id !== imageId);
    const makersImages = isMakers ? [...others, imageId] : others;
    const body = { ...now, allowedHosts: [...now.allowedHosts], makersImages };
    loaded.replace(await client.call('setPictureSettings', { params, body }));
    announce(saved);
  });
  const { value } = loaded;
  return (
    <>
      <ErrorNotice error={loaded.error ?? change.error} />
      <Images
        {...props}
        mark={(imageId) => {
          // if all are, there is nothing to mark
          if (value === undefined || value.makersPictures) return null;
          const isMakers = value.makersImages.includes(imageId);
          return (
            <>
              {isMakers ? <p>{words.isMakers}</p> : null}
              <ActionButton
                isSmall
                label={isMakers ? words.makersNot : words.makers}
                isBusy={change.isBusy}
                run={() => change.run(imageId, !isMakers)}
              />
            </>
          );
        }}
      />
    </>
  );
}

interface ImagesProps extends ProductImagesProps {
  readonly mark?: (imageId: string) => ComponentChildren;
}

function Images({ product, reports, onRetry, mark }: ImagesProps) {
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
  return (
    <section>
      <h2>{words.images}</h2>
      <ErrorNotice error={retry.error} />
      <ul class="rows">
        {images
          .flatMap(({ id }) => reports.find((report) => report.id === id) ?? [])
          .map((report) => (
            <ImageRow
              key={report.id}
              image={report}
              onRetry={() => void retry.run(report.id)}
              action={mark?.(report.id)}
            >
              {report.state === 'failed' || report.state === 'no_image' ? null : (
                <a href={`/api/v1/mc4p/assets/${report.id}/certificate`}>{words.certificate}</a>
              )}
            </ImageRow>
          ))}
      </ul>
    </section>
  );
}
