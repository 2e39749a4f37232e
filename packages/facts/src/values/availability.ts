/** Names of schema.org ItemAvailability. */
const NAMES = [
  'BackOrder',
  'Discontinued',
  'InStock',
  'InStoreOnly',
  'LimitedAvailability',
  'MadeToOrder',
  'OnlineOnly',
  'OutOfStock',
  'PreOrder',
  'PreSale',
  'Reserved',
  'SoldOut',
] as const;

const BY_FOLDED: ReadonlyMap<string, string> = new Map([
  ...NAMES.map((name): [string, string] => [name.toLowerCase(), name]),
  // spellings of feeds and Open Graph (`product:availability`), and common mistakes
  ['instoke', 'InStock'],
  ['available', 'InStock'],
  ['availablefororder', 'InStock'],
  ['availableforpurchase', 'InStock'],
  ['onbackorder', 'BackOrder'],
  ['oos', 'OutOfStock'],
  ['notavailable', 'OutOfStock'],
  ['unavailable', 'OutOfStock'],
  ['outstock', 'OutOfStock'],
  ['pending', 'PreOrder'],
  ['preorderavailability', 'PreOrder'],
  ['limitedstock', 'LimitedAvailability'],
  ['sold', 'SoldOut'],
  ['notsold', 'InStock'],
]);

/** Parses an availability in structured data: an IRI, a name, a feed's `in stock`, or a phrase in the page's language. */
export function availabilityName(text: string): string | undefined {
  if (text.length > 100) return undefined;
  const local = text.trim().split(/[/#]/).at(-1) ?? '';
  const folded = local.toLowerCase().replace(/[^a-z]/g, '');
  const name = BY_FOLDED.get(folded) ?? BY_FOLDED.get(folded.replace(/^schema/, ''));
  return name ?? (/[:/]/.test(text) ? undefined : phraseValue(text.toLowerCase()));
}

/** Phrases that state an availability, in lower case, in languages of shops in Europe, Asia and America. */
const OUT_OF_STOCK =
  /^unavailable$|^no stock|out of stock|currently unavailable|temporarily unavailable|not (?:currently )?(?:available|in stock)|no longer available|sold[ -]?out|item (?:has )?sold|this (?:listing|item|ad) (?:has )?(?:ended|expired|been sold)|unavailable for purchase|nicht (?:mehr )?(?:verfügbar|lieferbar|auf lager|vorrätig)|derzeit nicht verfügbar|momentan nicht|(?:nicht|nicht mehr|derzeit nicht) zur verfügung|ausverkauft|vergriffen|actuellement indisponible|temporairement indisponible|rupture de stock|en rupture|(?:plus|pas) (?:en stock|disponible)|non disponible|indisponible|épuisé|attualmente non disponibile|non (?:è |e' )?(?:più |piu )?(?:al momento )?disponibile|esaurito|(?:ya )?no (?:est[áa] |se encuentra |hay )?disponible|agotado|(?:sin|no hay) (?:stock|existencias)|fuera de stock|indisponível|não (?:est[áa] )?disponível|fora de (?:estoque|stock)|esgotado|sem (?:estoque|stock)|niet (?:meer |langer |momenteel )?(?:op voorraad|leverbaar|beschikbaar)|uitverkocht|brak (?:w magazynie|towaru|na stanie|na magazynie)|nie jest dostępn|niedostępn|chwilowo niedostępny|wyprzedan|není skladem|není dostupn|vyprodán|nie je (?:skladom|na sklade)|nedostupn|vypredan|momentálně nedostupn|nincs (?:készleten|raktáron)|nem (?:elérhető|kapható|rendelhető)|elfogyott|indisponibil|stoc epuizat|nu este (?:în|in) stoc|нет в (?:наличии|продаже)|товар закончился|распродан|немає в наявності|няма наличност|не е (?:наличен|в наличност)|изчерпан|nije (?:dostup|raspoloživ|na (?:zalihi|stanju))|nema na (?:zalihi|skladištu|stanju|zalogi)|rasprodano|ni na zalogi|razprodano|nav (?:pieejam|noliktavā)|nėra (?:sandėlyje|prekyboje)|išparduota|läbi müüdud|slutsåld|ej i lager|slut i lager|tillfälligt slut|utsolgt|ikke på lager|udsolgt|loppuunmyyty|loppu(?:nut)? varastosta|(?<!\p{L})loppu(?!\p{L})|(?<!\p{L})otsas(?!\p{L})|ei (?:varastossa|saatavilla)|stokta (?:yok|bulunmamakta|kalmadı)|tükendi|εξαντλ|μη διαθέσιμο|אינו במלאי|לא במלאי|אזל (?:מ)?המלאי|מלאי אזל|غير متوفر|نفد|ناموجود|نفذت الكمية|品切れ|完売|在庫[がは]?(?:ござい|あり)ません|欠品|在庫切れ|在庫なし|売り切れ|缺货|售罄|無庫存|售完|품절|일시품절|매진|สินค้าหมด|hết hàng|stok habis|stok kosong/u;
/** Explicit statements that the product cannot be bought. */
const CANNOT_BUY =
  /can(?:not|'t|’t) (?:currently )?be (?:bought|purchased|ordered)|(?:kann|können) (?:derzeit|zurzeit|momentan|aktuell) nicht (?:gekauft|bestellt)|(?:derzeit|zurzeit|momentan|aktuell) nicht (?:bestellbar|erhältlich|käuflich)|ne peut (?:pas |plus |actuellement )?être (?:acheté|commandé)|no se puede comprar|non (?:è |e' )?acquistabile|niet te (?:bestellen|koop)|nie można (?:kupić|zamówić)|нельзя (?:купить|заказать)|(?:目前|暫時|暂时)?(?:無法|无法)(?:購買|购买)|購入できません|구매할 수 없/u;
const DISCONTINUED =
  /\bdiscontinued\b|no longer (?:made|produced|manufactured)|nicht mehr (?:hergestellt|produziert)|auslaufartikel|n'est plus (?:fabriqué|produit|commercialisé)|descatalogado|fuori produzione|снят с производства|produkt wycofany|ukončen[ao]? (?:prodej|výrob)/u;
const PRE_ORDER =
  /pre[- ]?order|vorbestell|précommande|preordine|reserva anticipada|pré-venda|przedsprzeda|předobjedn|предзаказ|予約(?:受付|商品|注文)/u;
const BACK_ORDER =
  /(?<!can be |s )back[- ]?order(?!s? (?:allowed|possible))|nachbestellung|nabestelling|(?:disponib\p{L}+|disponível) (?:sur commande|su ordinazione|(?:por|sob) encomenda|para reservas?|bajo pedido)/u;
const IN_STOCK =
  /\bin stock\b|ready to ship|available (?:now|immediately|for (?:immediate )?(?:delivery|order|dispatch|shipping|despatch))|\d+ (?:available|left in stock|in stock)|auf lager|sofort (?:lieferbar|verfügbar)|(?<!nicht )(?:lieferbar|verfügbar)(?!keit)|vorrätig|lagernd|en stock|disponible(?! en (?!\d))|disponibil[ei](?!\p{L})|disponibilità immediata|hay existencias|em stock|em estoque|disponível|pronta entrega|op voorraad|direct leverbaar|na stanie|w magazynie|dostępn[yae]|(?:duża|średnia|mała) ilość|skladem|na sklade|skladom|dostupn[ýéáo](?!\p{L})|raktáron|készleten|elérhető(?!s)|în stoc|in stoc\b|disponibil\b|в наличии|есть в наличии|в наявності|в наличност|на склад(?:е|у)|na zalogi|na zalihi|na stanju|dobavljivo|pieejams|noliktavā|ir veikalā|sandėlyje|yra sandėlyje|laos olemas|i lager|på lager|varastossa|stokta var|stokta|σε απόθεμα|διαθέσιμο|άμεσα διαθέσιμο|במלאי|متوفر|موجود|在庫あり|[当即]日(?:出荷|発送)|在庫\s?\d|残り\s?\d|現貨|有货|有貨|재고|มีสินค้า|còn hàng|stok tersedia|tersedia/u;
const LIMITED =
  /only \d+ left|nur noch \d+|plus que \d+|il ne reste plus que|solo \d+ disponibil|rimangono solo|solo quedan?|últim[ao]s? unidade|ostatni|poslední (?:kus|kusy)|осталось (?:всего )?\d+|last one|low stock|limited stock|geringer bestand/u;

/** Offers of a back-in-stock notification; the control is often present but hidden while the product is in stock. */
const WHEN_BACK =
  /notify|back in stock|when (?:it is |it's )?(?:available|in stock)|e-?mail me|remind me|waitlist|benachrichtig|erinner|prévenez|préven|avvis|avísa|avise|powiadom|hlídat|upozornit|сообщить|уведомить|értesít|anunță/u;

/** Whether a text, in lower case, states that the product cannot be bought. */
export function isUnbuyable(text: string): boolean {
  return CANNOT_BUY.test(text);
}

/** The availability that a text, in lower case, states. */
export function phraseValue(text: string): string | undefined {
  if (OUT_OF_STOCK.test(text) || isUnbuyable(text)) return 'OutOfStock';
  if (DISCONTINUED.test(text)) return 'Discontinued';
  if (WHEN_BACK.test(text)) return undefined;
  if (BACK_ORDER.test(text)) return 'BackOrder';
  if (PRE_ORDER.test(text)) return 'PreOrder';
  // low stock counts as in stock; quantities are not a fact that is reported
  return LIMITED.test(text) || IN_STOCK.test(text) ? 'InStock' : undefined;
}
