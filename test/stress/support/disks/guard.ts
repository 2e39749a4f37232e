import { spawn } from 'node:child_process';

/** Seconds after which a frozen disk is thawed: a test that takes longer, or was killed, ends nevertheless. */
const LONGEST_FREEZE = 90;

/*
 * A shell in its own session, unaffected by faults, kills or hangs of the test process. It keeps no file of the disk open. Its input closes
 * with the process that started it; until then, each freeze sends it a line with its end.
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

/** Ensures that no test disk stays frozen or mounted, whatever happens to the test. */
export interface DiskGuard {
  /** Resolves when the guard is ready to thaw the disk. */
  beforeFreeze(): Promise<void>;
  afterThaw(): void;
  /** Ends the guard: the disk is gone. */
  dismiss(): void;
}

export function guardDisk(path: string, folder: string): DiskGuard {
  const args = ['-c', SCRIPT, 'bash', path, folder, String(LONGEST_FREEZE)];
  const shell = spawn('bash', args, { cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  shell.stdin.on('error', () => {});
  // this process does not wait for it
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
