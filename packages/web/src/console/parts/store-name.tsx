import { Untrusted } from '../../ui/text.tsx';
import { useLoad } from '../loading.ts';
import { href } from '../routes.ts';
import { useTools } from '../tools.ts';

/** Above the title of a page of a store: whose it is. */
export function StoreName({ storeId }: { storeId: string }) {
  const { client } = useTools();
  const { value } = useLoad(
    (signal) => client.call('getStore', { params: { store_id: storeId } }, { signal }),
    [storeId],
  );
  // why it cannot be told is said by the page itself
  return value === undefined ? null : (
    <a href={href('store', { storeId })}>
      <Untrusted text={value.name} />
    </a>
  );
}
