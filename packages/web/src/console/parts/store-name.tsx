import { Untrusted } from '../../ui/text.tsx';
import { useLoad } from '../loading.ts';
import { href } from '../routes.ts';
import { useTools } from '../tools.ts';

/** Above the title of a store's page: the store's name. */
export function StoreName({ storeId }: { storeId: string }) {
  const { client } = useTools();
  const { value } = useLoad(
    (signal) => client.call('getStore', { params: { store_id: storeId } }, { signal }),
    [storeId],
  );
  // the page itself shows why it could not be loaded
  return value === undefined ? null : (
    <a href={href('store', { storeId })}>
      <Untrusted text={value.name} />
    </a>
  );
}
