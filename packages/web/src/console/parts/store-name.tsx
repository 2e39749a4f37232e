import { Untrusted } from '../../ui/text.tsx';
import { useCall } from '../loading.ts';
import { href } from '../routes.ts';

/** Above the title of a store's page: the store's name. */
export function StoreName({ storeId }: { storeId: string }) {
  const { value } = useCall('getStore', { params: { store_id: storeId } });
  // the page itself shows why it could not be loaded
  return value === undefined ? null : (
    <a href={href('store', { storeId })}>
      <Untrusted text={value.name} />
    </a>
  );
}
