/** Closes resources in the reverse order of opening, all of them even if one fails. */
export class Closers {
  readonly #steps: { name: string; close: () => Promise<unknown> }[] = [];
  readonly #onFailure: (name: string, error: unknown) => void;

  constructor(onFailure: (name: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  add(name: string, close: () => Promise<unknown>): void {
    this.#steps.push({ name, close });
  }

  async closeAll(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step.close();
      } catch (error) {
        this.#onFailure(step.name, error);
      }
    }
  }
}
