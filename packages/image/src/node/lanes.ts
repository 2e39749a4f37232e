import type { ClaimSignature } from './claim-signature.ts';
import { ImageFault } from './fault.ts';
import { type ImageProcess, type ProcessLimits, type Result, startImageProcess } from './image-process.ts';
import type { Order } from './messages.ts';

/** A fixed number of image processes, and a bounded line before them. */
export interface Lanes {
  /** @throws ImageFault */
  run(order: Order, signature?: ClaimSignature): Promise<Result>;
  close(): Promise<void>;
}

interface Turn {
  begin(process: ImageProcess): Promise<void>;
  refuse(fault: ImageFault): void;
}

export function createLanes(count: number, maxWaiting: number, limits: ProcessLimits): Lanes {
  const idle: ImageProcess[] = [];
  const running = new Set<ImageProcess>();
  const line: Turn[] = [];
  let isClosed = false;

  const usableProcess = (): ImageProcess => {
    for (let process = idle.pop(); process !== undefined; process = idle.pop()) {
      if (process.isUsable()) return process;
    }
    return startImageProcess(limits);
  };
  const serve = async () => {
    if (running.size >= count) return;
    const turn = line.shift();
    if (turn === undefined) return;
    const process = usableProcess();
    running.add(process);
    await turn.begin(process);
    running.delete(process);
    if (isClosed) await process.end();
    else if (process.isUsable()) idle.push(process);
    void serve();
  };
  return {
    run: (order, signature) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new ImageFault('closed');
        if (running.size >= count && line.length >= maxWaiting) throw new ImageFault('overloaded');
        line.push({
          begin: (process) =>
            process
              .run(order, signature?.sign)
              // a process that was ended on closing did not die of its image
              .then(resolve, (error: unknown) => reject(isClosed ? new ImageFault('closed') : error)),
          refuse: reject,
        });
        void serve();
      }),
    async close() {
      isClosed = true;
      for (const turn of line.splice(0)) turn.refuse(new ImageFault('closed'));
      await Promise.all([...running, ...idle.splice(0)].map((process) => process.end()));
    },
  };
}
