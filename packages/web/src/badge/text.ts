import type { BadgeDetail, BadgeState } from './badge-result.ts';

/** What a badge says. In `{…}` stands what a certificate or the page says. */
export interface BadgeText {
  readonly states: Readonly<Record<BadgeState, string>>;
  readonly details: Readonly<Record<BadgeDetail, string>>;
  /** What it is, for those who do not see it. */
  readonly name: string;
  readonly newTab: string;
  readonly several: string;
}

const en: BadgeText = {
  name: 'Product certificate',
  newTab: 'opens in a new tab',
  several: '{count} certificates are on this page',
  states: {
    checking: 'Checking …',
    verified: 'Verified',
    site: 'Not for this site',
    page: 'Not for this page',
    expired: 'Expired',
    invalid: 'Not valid',
    none: 'No certificate',
    unknown: 'Could not check',
  },
  details: {
    wait: 'Product certificate',
    forDomain: 'Issued for {domain}',
    forProduct: '{product}',
    otherPage: 'Issued for {product}',
    expiredOn: 'Since {date}',
    altered: 'Forged or altered',
    nothing: 'This page carries none',
    offline: 'Service not reached',
    clock: 'Wrong time on this device?',
    elsewhere: 'From another service',
    noSite: 'This page has no site',
  },
};

const es: BadgeText = {
  name: 'Certificado de producto',
  newTab: 'se abre en otra pestaña',
  several: 'En esta página hay {count} certificados',
  states: {
    checking: 'Comprobando…',
    verified: 'Verificado',
    site: 'De otro sitio',
    page: 'De otra página',
    expired: 'Caducado',
    invalid: 'No es válido',
    none: 'Sin certificado',
    unknown: 'Sin comprobar',
  },
  details: {
    wait: 'Certificado de producto',
    forDomain: 'Emitido para {domain}',
    forProduct: '{product}',
    otherPage: 'Emitido para {product}',
    expiredOn: 'Desde el {date}',
    altered: 'Falsificado o alterado',
    nothing: 'La página no lleva uno',
    offline: 'El servicio no responde',
    clock: '¿Hora del equipo errónea?',
    elsewhere: 'De otro servicio',
    noSite: 'La página no tiene sitio',
  },
};

/** By the language of the element or document; English for all that is not here. */
export function badgeText(language: string): { readonly lang: string; readonly text: BadgeText } {
  const all: Readonly<Record<string, BadgeText>> = { en, es };
  const lang = language.toLowerCase().split('-', 1)[0] ?? '';
  const text = Object.hasOwn(all, lang) ? all[lang] : undefined;
  return text === undefined ? { lang: 'en', text: en } : { lang, text };
}
