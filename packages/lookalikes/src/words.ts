/** Words that are added to a name to make it look like a shop of its owner. In the languages in which shops are copied most. */
const ADDED = `
outlet outlets sale sales official oficial officiel offiziell ufficiale original authentic genuine shop shops shopping store stores
tienda tiendas boutique negozio magasin loja online onlineshop onlinestore webshop eshop web app apps buy buynow comprar compra cheap
barato baratos baratas discount discounts descuento descuentos rebajas oferta ofertas offer offers soldes sconti angebote deal deals
promo promos promotion promotions clearance liquidacion warehouse factory direct express global international world worldwide group
club vip gift gifts giftcard regalo regalos new best my the get mail email help support soporte ayuda service services servicio
customer customers clientes account accounts login signin secure security verify verified pay payment payments pago pagos checkout
cart billing order orders pedido pedidos track tracking delivery shipping envio envios return returns refund refunds info news blog
home site website page pages official shoes sneakers clothing fashion moda ropa zapatos brand brands market mart mall plus pro hub
zone center centre central today now free win prize rewards bonus coupon coupons code codes black friday blackfriday cyber monday
europe europa asia america americas africa latam usa espana spain france italia italy deutschland germany england britain ireland
portugal nederland netherlands holland belgium belgique austria schweiz suisse switzerland sweden sverige norway norge denmark danmark
finland poland polska czech greece turkey russia ukraine romania hungary canada mexico brasil brazil argentina chile colombia peru
australia newzealand japan china korea india singapore malaysia indonesia thailand vietnam philippines dubai israel southafrica
london paris madrid barcelona berlin milano roma newyork
`;

/** Parts between hyphens only: two letters occur in too many names. */
const BETWEEN_HYPHENS = `
ar at au be bg br ca ch cl cn co cz de dk ee es eu fi fr gr hk hr hu ie il in it jp kr lt lu lv mx nl no nz pe ph pl pt ro rs ru se sg
si sk th tr tw ua uk us vn za com net org www shop biz info couk
`;

/**
 * Names that are words of the language or of the trade: that another host has them says nothing. Resemblance to them is
 * told only by foreign characters, or if it contains the whole host.
 */
const COMMON = `
abc about account opensource playground article socket finance weather node express server client sandbox status portal cloudfront action active adventure agency air all alpha amber anchor angel animal apps arena art arts atlas aura auto
autos baby bag bags bakery ball bank bar base basic basics beach bean bear beauty beds bee bella best beta better bicycle bike bikes
bio bird black blog bloom blue board boat body book books boots boss box boxes brand brands bread bridge bright buy cafe cake camera
camp camping candle candles candy car card cards care cars casa cash castle cat center central ceramics chair cheese child choice
circle city clean click cloud clothes clothing club coco code coffee color colors comfort company concept connect cook cool corner
cosmetics country craft crafts creative crown cup cycle daily dance data dealer deals decor deluxe denim design designs digital direct
discover dog dogs dream dress drink eagle earth east easy eco edge elements elite energy epic essence essential europe event events
ever evolution express eyes fabric face factory family farm fashion fast feel film find fire first fish fit fitness flora flower
flowers flow focus food foods forest form forever fox free fresh friend friends fruit fun furniture future galaxy gallery game games
garden gift gifts girl girls glass global gold golden good goods grace grand great green grocery group guide hair halo hand happy
harmony health heart hello help here hero herbs high home honey hope horizon horse hotel house icon idea ideas image indigo info
ink inspire iris island jewel jewelry jewellery joy juice juicy jungle kids king kitchen label lady lamp land leaf leather legend
level life light lighting lights line lion live living local logo lotus love luna luxe luxury made magic mail main make makeup
market master maxi media medical mega metal mind mini mint mirror mobile moda mode model modern moment money moon more mosaic mother
motion motor mountain music native natural nature nest network new news next night noble north nova ocean office oil olive online
open orange organic organics original outdoor outlet oxygen page paint palace panda paper paradise park parts party path peace pearl
perfect perfume pet pets pharmacy phone photo photos pink pixel planet plant plants plastic play plus point pole power premium press
prime print pro products pure purple queen quick radio rain rainbow real record red rest retail retro ring river road rock root rose
round royal run safe sale salon salt savvy school science sea seed select sense shape share shine shirt shirts shoe shoes shop
shopping shops shot show silver simple skin sky sleep slow smart smile smoke snow soap social soft solar soul sound source south space
spa spark special spice spirit sport sports spring square star stars start station steel stone store stores storm story street
strong studio studios style success sugar summer sun sunny super supply support sure surf sweet swim switch system table taste
tea team tech thing things think tienda tiendas tile time tiny today tools top total touch tower town toy toys trade trading trail
travel tree trend trends tribe true trust turtle ultra union unique unity universe urban value vanilla vape velvet vibe vibes view
village vintage vision vita vital wall watch watches water wave wear web wedding well west whisky white wild wind window wine wines
wing winter wolf woman women wonder wood wooden wool work works world yarn yellow yoga young youth zebra zen zero zone
arte bebe belleza bonita bueno cafe calle calzado camino campo casa ciudad cocina color comida corazon deporte deportes dulce
electronica escuela esencia espacio estilo estrella familia farmacia ferreteria fiesta flores fruta grande hogar hola joyas joyeria
jardin juegos juguete juguetes libreria libro libros limpio luna luz madera mar mascotas mercado moda mujer muebles mundo naranja
natura natural ninos norte nueva nuevo oro papel perfumeria pesca piel plata playa regalo regalos reina ropa rosa salud sol sur taller
tela tierra todo verde vida vino zapato zapatos
example test demo
`;

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const ADDED_WORDS = words(ADDED);
export const HYPHENATED_WORDS = new Set([...ADDED_WORDS, ...words(BETWEEN_HYPHENS)]);
export const COMMON_NAMES = new Set([...words(COMMON), ...ADDED_WORDS]);
export const LONGEST_ADDED = Math.max(...[...ADDED_WORDS].map(({ length }) => length));
