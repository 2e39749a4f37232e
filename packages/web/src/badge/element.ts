import { checkAddress, judgedAddress } from './address.ts';
import type { BadgeResult, Choice, Judge } from './badge-result.ts';
import { STYLE } from './style.ts';
import type { BadgeTexts } from './text.ts';
import { type BadgeView, createLink, draw } from './view.ts';
import { watchPage } from './watch-page.ts';

const BADGE_NAME = 'product-certificate';

const CHECKING: BadgeResult = { state: 'checking', detail: 'wait' };
const NO_ANSWER: BadgeResult = { state: 'unknown', detail: 'offline' };

interface BadgeOptions {
  /** Base address of the service, without a trailing slash: the target of the link. */
  readonly service: string;
  readonly texts: BadgeTexts;
  /** Loads the verifier; called when there is a badge. @param onKnown - see `createJudge` */
  readonly loadJudge: (onKnown: () => void) => Promise<Judge>;
}

/**
 * Defines `<product-certificate>`, unless it is already defined. If the browser lacks a required feature, it is not defined and the element
 * keeps its content: a neutral picture.
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
  const checkAll = () => {
    for (const badge of badges) badge.check();
  };
  const watch = watchPage({
    moved() {
      for (const badge of badges) badge.wait();
    },
    changed: checkAll,
  });
  let loading: Promise<Judge> | undefined;
  const judge: Judge = async (page, choice) => {
    loading ??= loadJudge(checkAll);
    try {
      return await (await loading)(page, choice);
    } catch {
      // loads it again with the next check
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
      // updates the link before it is followed: the address may just have changed
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

    /** Invalidates the result, since the address has changed. */
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
      const { href } = this.#result;
      // the result is about the page as last examined
      if (href !== undefined && watch.now().address === location.href) return href;
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
      // an unchanged result is not announced again
      const shown = JSON.stringify(view);
      if (shown !== this.#shown) draw(this.#drawn, view, texts);
      this.#shown = shown;
    }
  };
}
