import { chmod, lchown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account.ts';

const ROOT = 0;
/** Files handled at a time. */
const AT_ONCE = 64;

/**
 * Lets a user read a file or folder owned by root, through its group: root remains the owner, so that the user cannot change
 * it. Paths that do not exist or are not owned by root are left unchanged.
 */
export async function grantRead(path: string, { gid }: Pick<Account, 'gid'>): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null || found.uid !== ROOT || found.isSymbolicLink()) return;
  await lchown(path, ROOT, gid);
  await chmod(path, (found.mode & 0o700) | (found.isDirectory() ? 0o050 : 0o040));
}

/**
 * Transfers a folder owned by root to a user, with its contents. The folder itself is transferred last: until then only root
 * can change its contents, and a start that is killed begins again. Folders of other users are left unchanged.
 */
export async function transferFolder(path: string, account: Pick<Account, 'uid' | 'gid'>): Promise<void> {
  const { uid, gid } = account;
  if ((await lstat(path)).uid !== ROOT) return;
  const entries = await readdir(path, { withFileTypes: true });
  for (let begun = 0; begun < entries.length; begun += AT_ONCE) {
    const some = entries.slice(begun, begun + AT_ONCE);
    await Promise.all(
      some.map((entry) => {
        const inside = join(path, entry.name);
        return entry.isDirectory() ? transferFolder(inside, account) : lchown(inside, uid, gid);
      }),
    );
  }
  await lchown(path, uid, gid);
}
