import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogPlace, ProofLog, UnpublishedProof } from '../../core/certificates/proof-log.ts';
import type { NodeContext } from '../../core/node-context.ts';
import { insertLeaves, readHidden, readPlace } from './leaf-table.ts';
import { leafOf, type NewLeaf } from './leaves.ts';

/** Milliseconds that a proof waits for its inclusion before it is published without. */
const PATIENCE = { asked: 1_000, ahead: 5_000 };

/** What publishes leaves on this node. */
export interface LeafPublisher {
  /** Whether waiting is of no use: the last attempt failed. */
  isFailing(): boolean;
  findings(): readonly string[];
  /** Publishes what was entered before this call, and returns the inclusions; `null` where there is none to carry. */
  include(leaves: readonly NewLeaf[], signal: AbortSignal): Promise<readonly (string | null)[]>;
}

export type TransparencyLogOptions = Pick<NodeContext, 'db' | 'secrets' | 'overrides'>;

/** The log of all proofs, on one node. Until its publisher is there, proofs are recorded, and wait for it. */
export class TransparencyLog implements ProofLog {
  readonly #options: TransparencyLogOptions;
  readonly #opened = Promise.withResolvers<LeafPublisher>();
  #publisher: LeafPublisher | undefined;

  constructor({ db, secrets, overrides }: TransparencyLogOptions) {
    this.#options = { db, secrets, overrides };
  }

  start(publisher: LeafPublisher): void {
    this.#publisher = publisher;
    this.#opened.resolve(publisher);
  }

  findings(): readonly string[] {
    return this.#publisher?.findings() ?? [];
  }

  placeOf(jwt: string): Promise<LogPlace | null> {
    return readPlace(this.#options.db, hash('sha256', jwt, 'buffer'));
  }

  async enter(
    proofs: readonly UnpublishedProof[],
    { isAhead }: { readonly isAhead: boolean },
  ): Promise<readonly (string | null)[]> {
    const { db, secrets, overrides } = this.#options;
    const hidden = await readHidden(db, new Set(proofs.map(({ merchantId }) => merchantId)));
    const leaves = proofs.map((proof) => leafOf(proof, secrets, hidden.has(proof.merchantId)));
    const isFailing = this.#publisher?.isFailing() === true;
    // whoever waits gives the disk the time that it needs at the most: a sequencer writes in order, and never before
    if (!isFailing) await insertLeaves(db, leaves, { isDurable: false });
    const texts = isFailing
      ? null
      : await this.#include(leaves, overrides.logPatience ?? PATIENCE[isAhead ? 'ahead' : 'asked']);
    if (texts !== null) return texts;
    // the database may have been killed meanwhile, and have lost what nobody waited for
    await insertLeaves(db, leaves, { isDurable: true });
    return leaves.map(() => null);
  }

  /** `null`: it is not known in time whether they are included. */
  async #include(
    leaves: readonly NewLeaf[],
    milliseconds: number,
  ): Promise<readonly (string | null)[] | null> {
    const patience = new AbortController();
    const none = delay(milliseconds, null, { signal: patience.signal }).catch(() => null);
    const included = this.#opened.promise.then((publisher) => publisher.include(leaves, patience.signal));
    try {
      return await Promise.race([included, none]);
    } catch {
      // the publisher has reported it
      return null;
    } finally {
      patience.abort();
      included.catch(() => {});
    }
  }
}
