import { checkAddress, judgedAddress } from './address.ts';
import type { BadgeResult, Choice, Judge } from './badge-result.ts';
import { STYLE } from './style.ts';
import type { BadgeTexts } from './text.ts';
import { type BadgeView, createLink, draw } from './view.ts';
import { watchPage } from './watch-page.ts';

const BADGE_NAME = 'product-certificate';

const CHECKING: BadgeResult = { state: 'checking', detail: 'wait' };
const NO_ANSWER: BadgeResult = { state: 'unknown', detail: 'offline' };

export interface BadgeOptions {
  /** Base address of the service, without a trailing slash: where the link leads. */
  readonly service: string;
  readonly texts: BadgeTexts;
  /** Loads what judges; asked once there is a badge. */
  readonly loadJudge: () => Promise<Judge>;
}

/**
 * Defines `<product-certificate>`, unless somebody has before. Where the browser lacks what it needs nothing is defined, and what
 * stands in the element stays: a picture that claims nothing.
 */
export function defineBadge(options: BadgeOptions): void {
  if (customElements.get(BADGE_NAME) !== undefined) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  customElements.define(BADGE_NAME, createBadge(options, sheet));
}

function createBadge(
  { service, texts, loadJudge }: BadgeOptions,
  sheet: CSSStyleSheet,
): CustomElementConstructor {
  const badges = new Set<{ check(): void; wait(): void }>();
  const watch = watchPage({
    moved() {
      for (const badge of badges) badge.wait();
    },
    changed() {
      for (const badge of badges) badge.check();
    },
  });
  let loading: Promise<Judge> | undefined;
  const judge: Judge = async (page, choice) => {
    loading ??= loadJudge();
    try {
      return await (await loading)(page, choice);
    } catch {
      // asked for again with the next check
      loading = undefined;
      return NO_ANSWER;
    }
  };

  return class extends HTMLElement {
    static readonly observedAttributes = ['product', 'for', 'lang', 'target'];
    readonly #drawn = createLink();
    #result = CHECKING;
    #checks = 0;
    #shown = '';

    constructor() {
      super();
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [sheet];
      root.append(this.#drawn.link);
      // before anybody follows it: the address may have changed a moment ago
      for (const event of ['pointerdown', 'focus', 'click'])
        this.#drawn.link.addEventListener(event, () => {
          this.#drawn.link.href = this.#href();
        });
    }

    connectedCallback(): void {
      if (badges.size === 0) watch.start();
      badges.add(this);
      this.#draw();
      this.check();
    }

    disconnectedCallback(): void {
      badges.delete(this);
      if (badges.size === 0) watch.stop();
    }

    attributeChangedCallback(name: string): void {
      if (!this.isConnected) return;
      this.#draw();
      if (name === 'product' || name === 'for') this.check();
    }

    /** Shows that what was found is of another address. */
    wait(): void {
      this.#checks++;
      this.#show(CHECKING);
    }

    check(): void {
      const check = ++this.#checks;
      judge(watch.now(), this.#choice()).then((result) => {
        if (check === this.#checks) this.#show(result);
      });
    }

    #choice(): Choice {
      return {
        product: this.getAttribute('product')?.trim() ?? '',
        for: this.getAttribute('for')?.trim() ?? '',
      };
    }

    #show(result: BadgeResult): void {
      this.#result = result;
      this.#draw();
    }

    #href(): string {
      return checkAddress(service, judgedAddress(location.href, this.#choice().for));
    }

    #draw(): void {
      const view: BadgeView = {
        result: this.#result,
        language:
          this.closest('[lang]')?.getAttribute('lang') || document.documentElement.lang || navigator.language,
        href: this.#href(),
        target: this.getAttribute('target') ?? '_blank',
        isLive: this.#choice().for === '',
      };
      // what is the same is not read out again
      const shown = JSON.stringify(view);
      if (shown !== this.#shown) draw(this.#drawn, view, texts);
      this.#shown = shown;
    }
  };
}
