import { ImageFault } from '../inspect/fault.ts';
import { FULL_SIZE } from '../inspect/limits.ts';
import type { ImageProcess } from './image-process.ts';

type Answer = Awaited<ReturnType<ImageProcess['run']>>;

/**
 * A process in which earlier images have no say over the next: memory that they left behind can be what it lacks, above
 * all in WebAssembly, which gives none back. What a used process could not open for want of memory, as far as that can be
 * seen, is opened again in a fresh one, whose answer counts.
 */
export function freshWhereInDoubt(start: () => ImageProcess): ImageProcess {
  let process = start();
  let isUsed = false;
  let isEnded = false;
  return {
    isUsable: () => process.isUsable(),
    async end() {
      isEnded = true;
      await process.end();
    },
    async run(request, sign) {
      const wasUsed = isUsed;
      isUsed = true;
      const answer = await process.run(request, sign).catch((error: unknown) => {
        if (!wasUsed || isEnded || !lacksMemory(error)) throw error;
        return null;
      });
      if (answer !== null && !(wasUsed && mayLackMemory(answer))) return answer;
      await process.end();
      // nobody would end the next one
      if (isEnded) throw new ImageFault('closed');
      process = start();
      return process.run(request, sign);
    },
  };
}

const lacksMemory = (error: unknown) => error instanceof ImageFault && error.code === 'worker_died';

/** Its pixels could not be decoded, and it is large enough for that to be a matter of memory. */
function mayLackMemory(answer: Answer): boolean {
  if (answer.kind !== 'inspected') return false;
  const { header, pixelFinding } = answer.inspection;
  return pixelFinding === 'pixels_undecodable' && header.width * header.height > FULL_SIZE;
}
