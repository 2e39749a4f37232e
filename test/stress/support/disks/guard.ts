import { spawn } from 'node:child_process';

/** Seconds for which a disk may be frozen: a test that takes longer, or was stopped, is over all the same. */
export const LONGEST_FREEZE = 90;

/*
 * A shell of its own session, which no fault, kill or standstill of the tests' process reaches. It keeps no file of the disk open.
 * Its input ends with whoever started it; until then a line for each freeze tells when it is to be over.
 */
const SCRIPT = `
path=$1 folder=$2 longest=$3 frozen=
while :; do
  read -r \${frozen:+-t "$longest"} order
  status=$?
  if [ $status -gt 128 ]; then
    fsfreeze -u "$path"
    frozen=
    continue
  fi
  [ $status -eq 0 ] || break
  case "$order" in
    freeze) frozen=yes; echo armed;;
    thawed) frozen=;;
    closed) exit 0;;
  esac
done
fsfreeze -u "$path"
umount -l "$path"
rm -rf "$folder"
`;

/** Sees to it that no disk of a test stays frozen, or mounted, whatever becomes of the test. */
export interface DiskGuard {
  /** Resolves when the disk will be thawed without us. */
  beforeFreeze(): Promise<void>;
  afterThaw(): void;
  /** The disk has gone. */
  dismiss(): void;
}

export function guardDisk(path: string, folder: string): DiskGuard {
  const args = ['-c', SCRIPT, 'bash', path, folder, String(LONGEST_FREEZE)];
  const shell = spawn('bash', args, { cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  shell.stdin.on('error', () => {});
  // nobody waits for it to end
  shell.unref();
  return {
    async beforeFreeze() {
      const armed = new Promise<void>((resolve, reject) => {
        shell.stdout.once('data', () => resolve());
        shell.once('exit', () => reject(new Error('The guard of the disk has ended: it is not frozen.')));
      });
      shell.stdin.write('freeze\n');
      await armed;
    },
    afterThaw: () => void shell.stdin.write('thawed\n'),
    dismiss: () => void shell.stdin.end('closed\n'),
  };
}
