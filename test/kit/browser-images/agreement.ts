import type { ImageInspection } from '@touchstone/image/node';
import { expect } from 'vitest';

/**
 * Bits of 64 by which a code of Chromium may differ from that of Node, which has other decoders. Measured (docs/measurements.md): none for
 * most, two for AVIF and wide colour profiles, four for CMYK.
 */
const MAX_DISTANCE = 4;

/** A browser's result equals Node's; codes nearly so, if the browser decodes such images at all. */
export function expectAgreement(inBrowser: ImageInspection, inNode: ImageInspection): void {
  expect(factsOf(inBrowser)).toEqual(factsOf(inNode));
  const { phash, frameCode, pixelFinding, appearance } = inBrowser;
  const { phash: nodePhash, frameCode: nodeFrameCode, pixelFinding: nodeFinding } = inNode;
  if (pixelFinding === 'pixels_unsupported') return;
  expect(pixelFinding).toBe(nodeFinding);
  expect(codeDistance(phash, nodePhash)).toBeLessThanOrEqual(MAX_DISTANCE);
  expect(codeDistance(frameCode, nodeFrameCode)).toBeLessThanOrEqual(MAX_DISTANCE);
  expect(typeof appearance).toBe(typeof inNode.appearance);
}

/** Without values that depend on a decoder. */
export function factsOf({
  phash: _phash,
  frameCode: _frameCode,
  appearance: _appearance,
  pixelFinding: _pixelFinding,
  ...facts
}: ImageInspection) {
  return facts;
}

/** Bits by which two codes differ; 0 if both are absent. */
export function codeDistance(a = '0', b = '0'): number {
  const differing = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  return differing.toString(2).replaceAll('0', '').length;
}
