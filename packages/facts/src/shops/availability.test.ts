import { describe, expect, it } from 'vitest';
import { shopPage, valuesOf } from './testing.ts';

const availabilityOf = (block: string, lang = 'en'): string | null => {
  const body = `<h1>Copper lamp with shade</h1><div class="price">79,00 €</div>${block}`;
  const html = shopPage({ title: 'Copper lamp with shade - Lumen', body, lang });
  return valuesOf(html, 'https://lumen.example/p/copper-lamp-with-shade').availability;
};

describe('the availability that a page prints', () => {
  it.each([
    ['en', 'In stock', 'Out of stock'],
    ['en', 'Available for immediate dispatch', 'Sorry, this item is sold out'],
    ['en', 'Only 3 left in stock', 'This product is currently unavailable'],
    ['en', '12 available', 'Temporarily out of stock'],
    ['de', 'Auf Lager', 'Nicht auf Lager'],
    ['de', 'Sofort lieferbar', 'Leider ausverkauft'],
    ['de', 'Vorrätig', 'Derzeit nicht lieferbar'],
    ['de', 'Noch 3 Stück verfügbar', 'Dieser Artikel ist nicht mehr verfügbar'],
    ['fr', 'En stock', 'Rupture de stock'],
    ['fr', 'Disponible', 'Produit épuisé'],
    ['fr', 'Disponible immédiatement', 'Actuellement indisponible'],
    ['es', 'En stock', 'Agotado'],
    ['es', 'Disponible en 24 horas', 'Sin existencias'],
    ['es', 'Hay existencias', 'No disponible'],
    ['it', 'Disponibile', 'Non disponibile'],
    ['it', 'Disponibilità immediata', 'Esaurito'],
    ['nl', 'Op voorraad', 'Niet op voorraad'],
    ['nl', 'Direct leverbaar', 'Uitverkocht'],
    ['pl', 'Dostępny', 'Niedostępny'],
    ['pl', 'Produkt dostępny w magazynie', 'Produkt chwilowo niedostępny'],
    ['pl', 'Na stanie', 'Brak w magazynie'],
    ['cs', 'Skladem', 'Vyprodáno'],
    ['cs', 'Skladem > 5 ks', 'Není skladem'],
    ['sk', 'Na sklade', 'Vypredané'],
    ['hu', 'Raktáron', 'Elfogyott'],
    ['ro', 'În stoc', 'Stoc epuizat'],
    ['pt', 'Em estoque', 'Esgotado'],
    ['pt-BR', 'Disponível', 'Produto indisponível'],
    ['ru', 'В наличии', 'Нет в наличии'],
    ['ru', 'Есть на складе', 'Товар закончился'],
    ['uk', 'Є в наявності', 'Немає в наявності'],
    ['bg', 'В наличност', 'Изчерпан'],
    ['sv', 'I lager', 'Slut i lager'],
    ['da', 'På lager', 'Ikke på lager'],
    ['no', 'På lager', 'Utsolgt'],
    ['fi', 'Varastossa', 'Loppu varastosta'],
    ['tr', 'Stokta var', 'Tükendi'],
    ['el', 'Άμεσα διαθέσιμο', 'Εξαντλήθηκε'],
    ['hr', 'Na zalihi', 'Nije dostupno'],
    ['sl', 'Na zalogi', 'Ni na zalogi'],
    ['sr', 'Na stanju', 'Nema na stanju'],
    ['lt', 'Yra sandėlyje', 'Išparduota'],
    ['lv', 'Ir noliktavā', 'Nav noliktavā'],
    ['et', 'Laos olemas', 'Läbi müüdud'],
    ['ja', '在庫あり', '在庫切れ'],
    ['ko', '재고 있음', '품절'],
    ['zh', '有货', '缺货'],
    ['he', 'במלאי', 'אזל מהמלאי'],
    ['ar', 'متوفر', 'غير متوفر'],
    ['vi', 'Còn hàng', 'Hết hàng'],
    ['id', 'Stok tersedia', 'Stok habis'],
    ['th', 'มีสินค้า', 'สินค้าหมด'],
    ['es', 'Stock disponible', 'No hay stock'],
    ['fr', 'En stock', "Ce produit n'est plus en stock"],
    ['it', '2 disponibili', 'Prodotto non più disponibile'],
    ['ru', 'Есть в наличии', 'Нет в продаже'],
    ['bg', 'В наличност', 'Не е в наличност'],
    ['tr', 'Stokta 3 adet', 'Ürün stokta bulunmamaktadır'],
    ['ja', '在庫1個', '現在在庫がございません'],
    ['sv', '2 i lager', 'Tillfälligt slut'],
  ])('%s: “%s” and “%s”', (lang, inStock, outOfStock) => {
    expect(availabilityOf(`<p class="stock">${inStock}</p>`, lang)).toBe('InStock');
    expect(availabilityOf(`<p>${inStock}</p>`, lang)).toBe('InStock');
    expect(availabilityOf(`<p class="stock">${outOfStock}</p>`, lang)).toBe('OutOfStock');
    expect(availabilityOf(`<p>${outOfStock}</p>`, lang)).toBe('OutOfStock');
  });

  it.each([
    [
      'a button that is disabled and says so',
      '<button disabled class="product-form__submit"><span>Sold out</span></button>',
      'OutOfStock',
    ],
    ['a button that is disabled until a size is chosen', '<button disabled>Select a size</button>', null],
    [
      'one size of several',
      '<button>Add to cart</button><select><option>S - sold out</option><option>M</option></select>',
      'InStock',
    ],
    [
      'swatches, one of them sold out',
      '<label class="swatch">S <span class="visually-hidden">Variant sold out or unavailable</span></label><label class="swatch">M</label><button>Add to cart</button>',
      'InStock',
    ],
    [
      'a label for a chosen variant that scripts fill',
      '<span class="visually-hidden" hidden>Sold out</span><button>Add to cart</button>',
      'InStock',
    ],
    [
      'a form for a notification when it is available again',
      '<p>Out of stock</p><form><input type="email"><button>Notify me when available</button></form>',
      'OutOfStock',
    ],
    ['the end of its sale', '<p>This product has been discontinued</p>', 'Discontinued'],
    ['the time of delivery alone', '<p>Lieferzeit: 2-3 Werktage</p>', null],
    ['a pre-order', '<button>Pre-order now</button>', 'PreOrder'],
    [
      'a back order',
      '<p class="stock available-on-backorder">Available on backorder</p><button>Add to cart</button>',
      'BackOrder',
    ],
    [
      'pick-up that is not offered',
      '<p>Pickup currently unavailable at Main street</p><button>Add to cart</button>',
      'InStock',
    ],
    [
      'another product’s',
      '<section><h2>Related products</h2><ul><li><a href="/p/oak">Oak lamp</a> <span>Sold out</span></li></ul></section>',
      null,
    ],
    ['nothing', '<p>A lamp of copper.</p>', null],
    ['the value of an attribute', '<table><tr><td>Покрытие</td><td>отсутствует</td></tr></table>', null],
    ['a stock of each store', '<p>Verfügbarkeit in der Filiale prüfen</p>', null],
    ['the same in French', '<p>Vérifier la disponibilité en magasin</p>', null],
    ['a choice of colours', '<p>In 3 Farben verfügbar</p>', null],
    ['the same in Spanish', '<p>Disponible en 3 colores</p>', null],
  ])('is recognised by %s', (_, block, expected) => {
    expect(availabilityOf(block)).toBe(expected);
  });
});
