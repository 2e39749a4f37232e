import type { FaultAnswer, InspectedAnswer, InspectOrder, ReadyAnswer } from '../inspect/messages.ts';

/** What the worker of images is told: the engine once, compiled and limited, then one image after another. */
export type Order = { readonly kind: 'start'; readonly engine: WebAssembly.Module } | InspectOrder;

/** What it answers: which engine it needs, `ready`, then one end for each image. */
export type Answer =
  | {
      readonly kind: 'engine';
      /** Hash of the WebAssembly that fits its script, as in the `integrity` of a request. */
      readonly integrity: string;
    }
  | ReadyAnswer
  | InspectedAnswer
  | FaultAnswer;
