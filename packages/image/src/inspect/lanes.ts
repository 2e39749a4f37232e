import { ImageFault } from './fault.ts';

/** Opens one image at a time, away from who asks, and can be ended: a process, a web worker. */
export interface Opener {
  /** False once it has ended, or should be replaced because of what images left behind in it. */
  isUsable(): boolean;
  end(): Promise<void>;
}

/** A fixed number of openers, and a bounded line before them. */
export interface Lanes<O extends Opener> {
  /** @throws ImageFault; what `task` or starting an opener throws */
  run<T>(task: (opener: O) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Images that may wait for their turn, unless the caller says otherwise. */
export const MAX_WAITING = 64;

interface Turn<O> {
  begin(opener: O): Promise<void>;
  refuse(reason: unknown): void;
}

/** @param start called when an opener is first needed, and after one has ended */
export function createLanes<O extends Opener>(count: number, maxWaiting: number, start: () => O): Lanes<O> {
  const idle: O[] = [];
  const running = new Set<O>();
  const line: Turn<O>[] = [];
  let isClosed = false;

  const usableOpener = (): O => {
    for (let opener = idle.pop(); opener !== undefined; opener = idle.pop()) {
      if (opener.isUsable()) return opener;
    }
    return start();
  };
  const carryOut = async (turn: Turn<O>) => {
    const opener = usableOpener();
    running.add(opener);
    await turn.begin(opener);
    running.delete(opener);
    if (isClosed) await opener.end();
    else if (opener.isUsable()) idle.push(opener);
  };
  const serve = async () => {
    if (running.size >= count) return;
    const turn = line.shift();
    if (turn === undefined) return;
    await carryOut(turn).catch(turn.refuse);
    void serve();
  };
  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new ImageFault('closed');
        if (running.size >= count && line.length >= maxWaiting) throw new ImageFault('overloaded');
        line.push({
          begin: (opener) =>
            task(opener)
              // an opener that was ended on closing did not die of its image
              .then(resolve, (error: unknown) => reject(isClosed ? new ImageFault('closed') : error)),
          refuse: reject,
        });
        void serve();
      }),
    async close() {
      isClosed = true;
      for (const turn of line.splice(0)) turn.refuse(new ImageFault('closed'));
      await Promise.all([...running, ...idle.splice(0)].map((opener) => opener.end()));
    },
  };
}
