import { ImageFault } from '../inspect/fault.ts';
import { FULL_SIZE } from '../inspect/limits.ts';
import type { ImageProcess } from './image-process.ts';

type Answer = Awaited<ReturnType<ImageProcess['run']>>;

/**
 * A process that repeats an image in a fresh process if it may have lacked memory because of earlier images: WebAssembly never
 * releases memory. The result of the fresh process counts.
 */
export function retryInFreshProcess(start: () => ImageProcess): ImageProcess {
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
      // nothing would end the next process
      if (isEnded) throw new ImageFault('closed');
      process = start();
      return process.run(request, sign);
    },
  };
}

const lacksMemory = (error: unknown) => error instanceof ImageFault && error.code === 'worker_died';

/** Whether the pixels could not be decoded, and the image is large enough for memory to be the reason. */
function mayLackMemory(answer: Answer): boolean {
  if (answer.kind !== 'inspected') return false;
  const { header, pixelFinding } = answer.inspection;
  return pixelFinding === 'pixels_undecodable' && header.width * header.height > FULL_SIZE;
}
