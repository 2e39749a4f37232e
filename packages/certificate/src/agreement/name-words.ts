function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

/** Articles, prepositions and conjunctions, folded. */
export const LINKING_WORDS: ReadonlySet<string> = words(`
  the a an of for with and or in on at by to from
  der die das den dem des ein eine einen und oder mit fur aus von zum zur im am
  le la les un une du de des et ou avec pour en sur au aux
  el los las una y o con para por del al
  il lo gli uno di da dei della delle per e ed
  os as um uma do da dos das com
  het een van voor met
  i w z ze na do dla od
  og med til av och for
  ve ile icin
  и в с для на из от по
  のを は に で と が の ของ และ`);

/** Words that templates add to the names of products, or that name parts of a page; folded. */
export const GENERIC_WORDS: ReadonlySet<string> = words(`
  buy shop store online official website site sale sales price prices best deal deals offer offers free shipping delivery order now
  product products item items details detail page home welcome category categories collection
  cart basket bag your my shopping checkout wishlist compare account login sign register search menu navigation newsletter subscribe
  about this technical additional information feedback warranty support policy adding added not
  technische daten details zusatzliche produktinformationen informationen info diesem
  informations complementaires descriptif technique politique retour
  specifiche ulteriori informazioni informacion adicional detalles
  cookies cookie privacy settings description reviews review related similar recently viewed you may also like specifications
  kaufen bestellen shop angebot angebote preis preise gunstig versand kostenloser warenkorb produkt produkte artikel startseite
  bewertungen beschreibung suche menu konto anmelden ihr dein onlineshop
  acheter boutique ligne prix livraison gratuite panier votre produit produits accueil avis recherche compte
  comprar tienda linea precio precios envio gratis carrito tu producto productos inicio resenas buscar cuenta oferta ofertas
  acquista acquistare negozio prezzo spedizione carrello prodotto prodotti
  loja preco precos frete carrinho seu produto produtos
  kopen winkel winkelwagen prijs gratis bezorging
  kup sklep cena koszyk produkt produkty dostawa
  kob butik pris kurv handlekurv varukorg kop
  koupit obchod kosik eshop
  купить магазин интернет цена заказать доставка корзина товар товары каталог
  satin al fiyat fiyati magaza sepet sepetim urun urunler
  mua gia san pham cua hang gio
  カート 商品 購入 通販 公式 购物 购买 商店 商品 장바구니 상품
  السلة المنتجات متجر شراء`);

const COLOURS: ReadonlySet<string> = words(`
  black white red blue green yellow orange purple pink brown grey gray beige cream ivory navy teal gold golden silver rose khaki olive
  turquoise violet multicolor multicolour multi clear transparent
  schwarz weiss rot blau grun gelb lila rosa braun grau turkis silber bunt
  noir noire blanc blanche rouge bleu bleue vert verte jaune violette gris grise marron argent
  negro negra blanco blanca rojo roja azul verde amarillo amarilla naranja morado gris plata dorado
  nero nera bianco bianca rosso rossa blu giallo grigio marrone
  preto branco vermelho amarelo cinza roxo
  zwart wit rood blauw groen geel grijs bruin
  czarny bialy czerwony niebieski zielony zolty
  черный белый красный синий зеленый желтый
  siyah beyaz kirmizi mavi yesil sari`);

const SIZES: ReadonlySet<string> = words(`
  xxs xs s m l xl xxl xxxl 2xl 3xl 4xl 5xl small medium large big mini regular one size default title pack set pcs pieces piece
  klein mittel gross petit moyen grand pequeno mediano grande piccolo medio`);

const MEASURE =
  /^\d+(?:x\d+)*(?:mm|cm|m|in|inch|ft|ml|cl|l|oz|g|gr|kg|lb|lbs|ct|pcs|pc|pk|gb|tb|w|v|stk|er|x)?$/;
const UNITS: ReadonlySet<string> = words('mm cm in inch inches ft ml cl oz g gr kg lb lbs gb tb');

/** Whether a word only tells the variants of a product apart: a colour, a size, a quantity. */
export function isVariantWord(word: string): boolean {
  return COLOURS.has(word) || SIZES.has(word) || UNITS.has(word) || MEASURE.test(word);
}
