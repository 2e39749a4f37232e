import type { HtmlDocument, PageCode, PageIndex } from '@touchstone/page/document';

const NOT_FOUND =
  /^(?:[^|–—-]{0,40}[|–—:-]\s*)?(?:error 404|404\b|page (?:not|cannot be|could not be) found|(?:product|item|listing) (?:not found|no longer exists|does not exist)|(?:oops|sorry)[!,.]? (?:this |the |that )?page|seite nicht gefunden|produkt nicht gefunden|page (?:introuvable|non trouvée)|produit introuvable|página no encontrada|página não encontrada|pagina non trovata|pagina niet gevonden|nie znaleziono strony|strona nie (?:istnieje|została znaleziona)|stránka nen(?:alezena|í k dispozici)|stránka nebola nájdená|az oldal nem található|pagina nu a fost găsită|страница не найдена|сторінку не знайдено|stranica nije pronađena|stran ne obstaja|sidan (?:hittades inte|kunde inte hittas)|siden blev ikke fundet|siden ble ikke funnet|sivua ei löyty|sayfa bulunamadı|η σελίδα δεν βρέθηκε|ページが見つかりません|页面不存在|페이지를 찾을 수 없습니다)/u;
const CONSENT =
  /before you continue|we (?:value|care about) your privacy|accept (?:all )?cookies|consent to (?:the use of )?cookies|bevor sie fortfahren|wir benötigen ihre (?:zustimmung|einwilligung)|alle akzeptieren|avant de continuer|accepter et (?:continuer|fermer)|accetta e continua|aceptar y continuar|zanim przejdziesz|accepteren en doorgaan/;
const CONSENT_TEXT = 2_500;

/**
 * Detects a "not found" page served with status 200 (`soft_not_found`) or a consent wall. Called only if the page states
 * no product.
 */
export function detectNonProductPage(doc: HtmlDocument, index: PageIndex): PageCode | undefined {
  const title = index.title === null ? '' : doc.text(index.title, 300).toLowerCase();
  const heading = index.headings.find(({ name }) => name === 'h1');
  const headline = heading === undefined ? '' : doc.text(heading, 300).toLowerCase();
  if (NOT_FOUND.test(title) || NOT_FOUND.test(headline)) return 'soft_not_found';
  const [root] = doc.elements;
  const text = root === undefined ? '' : doc.text(root, CONSENT_TEXT + 100).toLowerCase();
  return text.length <= CONSENT_TEXT &&
    CONSENT.test(`${title}\n${text}`) &&
    /cookie|consent|privacy|datenschutz/.test(text)
    ? 'consent_wall'
    : undefined;
}
