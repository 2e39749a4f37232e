import type { PageCode } from '../codes.ts';

/** A wall told by what serves it; `text` where its script also lies on pages that are open. */
export interface Wall {
  readonly code: PageCode;
  readonly signals: RegExp;
  readonly text?: RegExp;
}

export const WALLS: readonly Wall[] = [
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

export const AKAMAI_DENIED =
  /access denied.*you don't have permission to access .* on this server.*reference #[0-9a-f.]+/s;

/** Sentences that no page of a shop prints, and those that one may print among others. */
export const ROBOT_CHECK =
  /enter the characters you see below|are you a (?:human|robot)\?|verify (?:that )?you(?:'re| are) (?:a )?(?:human|not a robot)|unusual traffic (?:from|coming from) your|pardon our interruption|press (?:&|and) hold to confirm|we just need to make sure you(?:'|’)re not a robot|robot or human\?|activate and hold the button|making sure you(?:'|’)re not a bot|verifying (?:that )?you are not a (?:ro)?bot|connection needs to be verified|vercel security checkpoint|requested url was rejected\. please consult|request is being verified|подтвердите, что запросы отправляли вы/;
export const ROBOT_CHECK_SHORT =
  /(?:solve|complete) the (?:captcha|security check)|(?:kein|not a|you are a|не|geen|nie jesteś|nejste|nie ste|non sei un|no eres un|não é um) (?:robot|робот)|(?:pas|êtes) un robot|robot olmadığınız|ロボットではない|人机验证|安全验证|로봇이 아닙니다/;

/** A title or headline of a shop that is not open yet or closed for works, from its first word. */
export const CLOSED_TITLE =
  /^(?:[^|–—-]{0,60}[|–—-]\s*)?(?:(?:our |the |this )?(?:online )?(?:store |shop |site |website )?(?:is )?(?:coming soon|opening soon|launching soon|under construction|(?:down for|under) maintenance|maintenance mode)|we(?:'|’)(?:re|ll be) (?:opening|launching|back) soon|wartungs(?:modus|arbeiten)|wir sind bald (?:wieder )?(?:da|zurück|online)|bald (?:geöffnet|verfügbar)|(?:site |boutique )?en (?:cours de )?(?:maintenance|construction|mantenimiento|construcción)|(?:nous (?:serons|revenons) )?bientôt de retour|(?:ouverture|bientôt) (?:prochaine|disponible)|próximamente|em (?:manutenção|construção|breve)|(?:sito )?in (?:manutenzione|costruzione)|binnenkort (?:open|online)|in onderhoud|strona w (?:budowie|przygotowaniu)|przerwa techniczna|sklep w budowie|(?:probíhá|prebieha) údržba|karbantartás|în curând|(?:сайт|магазин) (?:на реконструкции|в разработке|временно)|ведутся технические работы|технические работы|скоро открытие|yapım aşamasında|bakım (?:modu|çalışması)|yakında (?:açılıyor|hizmetinizdeyiz)|قريب[اً]|メンテナンス中|준비\s?중|维护中|維護中)(?![\p{L}])/u;
export const CLOSED_TEXT =
  /great things are on the horizon|something big is brewing|our store (?:is|will be) (?:in the works|launching|opening soon)|we(?:'|’)re (?:opening|launching) soon|pardon our dust|enter the preview code/;
export const PASSWORD_TEXT =
  /(?:this (?:content|page|store|site) is (?:password )?protected|enter (?:store )?using password|enter (?:the )?password to)/;
