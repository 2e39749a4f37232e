import type { PageCode } from '../codes.ts';
import type { Gate } from '../types.ts';
import type { El, HtmlDocument } from './dom/document.ts';
import type { PageIndex } from './dom/page-index.ts';
import type { MetaMap } from './metas.ts';

/** A page with more visible characters (or a longer source) is content that merely includes a bot wall's script. */
const WALL_TEXT = 4_000;
const WALL_SOURCE = 200_000;

interface GateView {
  readonly doc: HtmlDocument;
  readonly index: PageIndex;
  readonly metas: MetaMap;
  readonly signals: string;
  readonly title: string;
  /** Visible text, lower case. */
  readonly text: string;
  readonly pageUrl: string;
}

/**
 * Detects a password page or bot wall served in place of the page. Called only if the page states no product, because a
 * product page that merely loads a bot wall's script is not blocked.
 */
export function detectGate(input: Omit<GateView, 'text' | 'title'>): Gate | null {
  const { doc, index } = input;
  const title = index.title === null ? '' : doc.text(index.title, 500).toLowerCase();
  const [root] = doc.elements;
  const text = root === undefined ? '' : doc.text(root, WALL_TEXT + 500).toLowerCase();
  const view: GateView = { ...input, title, text };
  const password = passwordGate(view);
  if (password !== undefined) return { kind: 'password', code: password };
  if (text.length > WALL_TEXT || doc.source.length > WALL_SOURCE) return null;
  const challenge = challengeOf(view);
  return challenge === undefined ? null : { kind: 'challenge', code: challenge };
}

function passwordGate({ doc, index, metas, signals, title, text, pageUrl }: GateView): PageCode | undefined {
  const form = index.inputs.some((el) => doc.attr(el, 'type')?.toLowerCase() === 'password');
  const bodyClass = index.body === null ? '' : (doc.attr(index.body, 'class') ?? '');
  const shopify = /Shopify|cdn\/shop\/|cdn\.shopify\.com/.test(signals);
  const path = pathOf(pageUrl);
  const shopifyForm = doc.elements.some(
    (el) => el.name === 'form' && /(?:^|\/)password(?:$|[?#])/.test(doc.attr(el, 'action') ?? ''),
  );
  if (form && (shopifyForm || path === '/password') && (shopify || shopifyForm)) return 'shopify_password';
  if (shopify && path === '/password' && text.length < WALL_TEXT) return 'shopify_password';
  if (text.length > WALL_TEXT) return undefined;
  if (hasWord(bodyClass, 'woocommerce-coming-soon') || /woocommerce-coming-soon/.test(signals))
    return 'coming_soon';
  if (
    metas.has('woo-coming-soon-page') ||
    doc.elements.some((el) => isComingSoonBlock(doc.attr(el, 'class')))
  ) {
    return 'coming_soon';
  }
  const short = text.length < SHORT_TEXT;
  if (
    CLOSED_TITLE.test(title) ||
    (short && (CLOSED_TITLE.test(headlineOf(doc, index)) || CLOSED_TEXT.test(text)))
  )
    return 'coming_soon';
  return short && form && (PASSWORD_TEXT.test(text) || asksForPasswordAlone(doc, index))
    ? 'page_password'
    : undefined;
}

/** Pages with fewer visible characters contain little besides the gate itself. */
const SHORT_TEXT = 1_500;

function headlineOf(doc: HtmlDocument, index: PageIndex): string {
  const heading = index.headings.find(({ name }) => name === 'h1');
  return heading === undefined ? '' : doc.text(heading, 300).toLowerCase().trim();
}

/** Whether the page asks for a password without a user name: a protected page, not a login (WordPress, site builders). */
function asksForPasswordAlone(doc: HtmlDocument, index: PageIndex): boolean {
  const typed = index.inputs.map((el) => doc.attr(el, 'type')?.toLowerCase() ?? 'text');
  if (typed.some((type) => type === 'text' || type === 'email' || type === 'tel')) return false;
  return doc.elements.some(
    (el) => el.name === 'form' && !/log-?in|sign-?in|account|customer|auth|user/i.test(actionOf(doc, el)),
  );
}

/** The form's action; empty for WordPress page passwords, which are posted to its login script. */
function actionOf(doc: HtmlDocument, form: El): string {
  const action = doc.attr(form, 'action') ?? '';
  return action.includes('action=postpass') ? '' : action;
}

function isComingSoonBlock(className: string | undefined): boolean {
  return (
    className !== undefined && /(?:^|\s)(?:wp-block-)?woocommerce-coming-soon(?:$|[\s-])/.test(className)
  );
}

function challengeOf({ doc, signals, title, text }: GateView): PageCode | undefined {
  const source = doc.source;
  for (const wall of WALLS) {
    const hit = wall.signals.test(signals) || wall.signals.test(source);
    if (hit && (wall.text === undefined || wall.text.test(`${title}\n${text}`))) return wall.code;
  }
  if (isAkamaiDenial(text)) return 'akamai_challenge';
  const said = `${title}\n${text}`;
  return ROBOT_CHECK.test(said) || (text.length < SHORT_TEXT && ROBOT_CHECK_SHORT.test(said))
    ? 'robot_check'
    : undefined;
}

function hasWord(list: string, word: string): boolean {
  return list.split(/\s+/).includes(word);
}

function pathOf(url: string): string {
  try {
    return new URL(url).pathname;
  } catch {
    return '';
  }
}

/** A bot wall and the signals of its vendor. `text` must match too where open pages carry the same signals. */
export interface Wall {
  readonly code: PageCode;
  readonly signals: RegExp;
  readonly text?: RegExp;
}

const WALLS: readonly Wall[] = [
  {
    code: 'cloudflare_challenge',
    signals:
      /_cf_chl_|cdn-cgi\/(?:l\/chk_|challenge-platform\/|styles\/cf\.|scripts\/cf\.)|cf-browser-verification|chk_jschl/,
    text: /just a moment|attention required|checking your browser|access denied|cloudflare ray id|verify you are human|enable javascript and cookies/,
  },
  {
    code: 'sucuri_challenge',
    signals: /sucuri_cloudproxy|cdn\.sucuri\.net/,
    text: /sucuri|being redirected|access denied/,
  },
  { code: 'datadome_challenge', signals: /captcha-delivery\.com|geo\.captcha-delivery|\bdd=\{['"]?rt/ },
  { code: 'perimeterx_challenge', signals: /px-captcha|_pxAppId|captcha\.px-cdn\.net|perimeterx/ },
  { code: 'incapsula_challenge', signals: /_Incapsula_Resource|incap_ses|Incapsula incident/ },
  { code: 'aws_waf_challenge', signals: /awswaf\.com|AwsWafIntegration|gokuProps/ },
  {
    code: 'akamai_challenge',
    signals: /sec-if-cpt-container|bm-verify|\/_sec\/cp_challenge|errors\.edgesuite\.net/,
  },
  // Kasada, SiteGround, Imunify360, LiteSpeed, DDoS-Guard
  { code: 'robot_check', signals: /\bKPSDK\b|\/\.well-known\/sgcaptcha\/|wsidchk|\/\.lsrecap\/recaptcha/ },
  { code: 'robot_check', signals: /ddos-guard/i, text: /ddos-guard|checking your browser/ },
  {
    code: 'robot_check',
    signals: /queue-it\.(?:net|com)/,
    text: /(?:you are|you're) (?:now )?in (?:the )?(?:line|queue)|waiting room|warteschlange|file d'attente/,
  },
];

const AKAMAI_DENIAL = [
  'access denied',
  "you don't have permission to access ",
  ' on this server',
  'reference #',
];

/** Whether the phrases occur in this order. A single regular expression for all of them would take cubic time. */
function isAkamaiDenial(text: string): boolean {
  let at = 0;
  for (const words of AKAMAI_DENIAL) {
    const found = text.indexOf(words, at);
    if (found < 0) return false;
    at = found + words.length;
  }
  return true;
}

/** Sentences that no shop page contains; those of `ROBOT_CHECK_SHORT` count only on short pages. */
const ROBOT_CHECK =
  /enter the characters you see below|are you a (?:human|robot)\?|verify (?:that )?you(?:'re| are) (?:a )?(?:human|not a robot)|unusual traffic (?:from|coming from) your|pardon our interruption|press (?:&|and) hold to confirm|we just need to make sure you(?:'|’)re not a robot|robot or human\?|activate and hold the button|making sure you(?:'|’)re not a bot|verifying (?:that )?you are not a (?:ro)?bot|connection needs to be verified|vercel security checkpoint|requested url was rejected\. please consult|request is being verified|подтвердите, что запросы отправляли вы/;
const ROBOT_CHECK_SHORT =
  /^\s*(?:(?:http )?(?:error )?\d{3}\W*)?too many requests|(?:solve|complete) the (?:captcha|security check)|(?:kein|not a|you are a|не|geen|nie jesteś|nejste|nie ste|non sei un|no eres un|não é um) (?:robot|робот)|(?:pas|êtes) un robot|robot olmadığınız|ロボットではない|人机验证|安全验证|로봇이 아닙니다/;

/** Title or headline of a shop that is not open yet or is under maintenance, matched from its start. */
const CLOSED_TITLE =
  /^(?:[^|–—-]{0,60}[|–—-]\s*)?(?:(?:our |the |this )?(?:online )?(?:store |shop |site |website )?(?:is )?(?:coming soon|opening soon|launching soon|under construction|(?:down for|under) maintenance|maintenance mode)|we(?:'|’)(?:re|ll be) (?:opening|launching|back) soon|wartungs(?:modus|arbeiten)|wir sind bald (?:wieder )?(?:da|zurück|online)|bald (?:geöffnet|verfügbar)|(?:site |boutique )?en (?:cours de )?(?:maintenance|construction|mantenimiento|construcción)|(?:nous (?:serons|revenons) )?bientôt de retour|(?:ouverture|bientôt) (?:prochaine|disponible)|próximamente|em (?:manutenção|construção|breve)|(?:sito )?in (?:manutenzione|costruzione)|binnenkort (?:open|online)|in onderhoud|strona w (?:budowie|przygotowaniu)|przerwa techniczna|sklep w budowie|(?:probíhá|prebieha) údržba|karbantartás|în curând|(?:сайт|магазин) (?:на реконструкции|в разработке|временно)|ведутся технические работы|технические работы|скоро открытие|yapım aşamasında|bakım (?:modu|çalışması)|yakında (?:açılıyor|hizmetinizdeyiz)|قريب[اً]|メンテナンス中|준비\s?중|维护中|維護中)(?![\p{L}])/u;
const CLOSED_TEXT =
  /great things are on the horizon|something big is brewing|our store (?:is|will be) (?:in the works|launching|opening soon)|we(?:'|’)re (?:opening|launching) soon|pardon our dust|enter the preview code/;
const PASSWORD_TEXT =
  /(?:this (?:content|page|store|site) is (?:password )?protected|enter (?:store )?using password|enter (?:the )?password to)/;
