import { FactList } from '../../ui/fact-list.tsx';
import { fill } from '../../ui/text.tsx';
import { useAction, useCall, useRepeat } from '../loading.ts';
import { Bar } from '../parts/display.tsx';
import { CheckField } from '../parts/fields.tsx';
import { ErrorNotice, Shown } from '../parts/notices.tsx';
import { href } from '../routes.ts';
import { useFormat, useTools, useWords } from '../tools.ts';
import type { StepProps } from './step-props.ts';

/** Poll interval in milliseconds. */
const POLL_INTERVAL = 2_000;

/** Progress of fetching and inspecting images, and the setting whether the service signs those without a manifest. */
export function ImagesStep({ store, onStore }: StepProps) {
  const { client } = useTools();
  const { guide } = useWords();
  const words = guide.images;
  const { number } = useFormat();
  const params = { store_id: store.id };
  const loaded = useCall('getImageProgress', { params });
  useRepeat(
    loaded.reload,
    POLL_INTERVAL,
    loaded.value !== undefined && loaded.error === undefined && loaded.value.waiting > 0,
  );
  const action = useAction(async (signImages: boolean) => {
    onStore(await client.call('updateStore', { params, body: { signImages } }));
    loaded.reload();
  });
  return (
    <>
      <p>{words.body}</p>
      <Shown of={loaded}>
        {({ total, waiting, certified, notServed, failed }) =>
          total === 0 ? (
            <p>{words.none}</p>
          ) : (
            <>
              <Bar
                label={fill(words.bar, { done: number(total - waiting), total: number(total) })}
                done={total - waiting}
                total={total}
              />
              <FactList
                facts={[
                  [words.certified, number(certified)],
                  [words.signedNotServed, number(notServed)],
                  [words.failedCount, number(failed)],
                  [words.waitingCount, number(waiting)],
                ]}
              />
              <p>
                <a href={href('images', { storeId: store.id })}>{words.see}</a>
              </p>
            </>
          )
        }
      </Shown>
      <CheckField
        label={words.sign}
        hint={words.signHint}
        checked={store.signImages}
        onValue={(sign) => void action.run(sign)}
      />
      <ErrorNotice error={action.error} />
    </>
  );
}
