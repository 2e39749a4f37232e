import { describe, expect, it } from 'vitest';
import { type Expected, jsonLd, shopPage, valuesOf } from './testing.ts';

interface Shop extends Expected {
  readonly title: string;
  readonly body: string;
  readonly lang?: string;
  readonly head?: string;
  readonly bodyClass?: string;
  readonly url?: string;
}

const related = (price: string): string =>
  `<div class="card"><a href="/products/table-lamp"><h3>Table lamp of oak</h3></a><div class="price">${price}</div></div>
  <div class="card"><a href="/products/wall-lamp"><h3>Wall lamp of brass</h3></a><div class="price">${price}</div></div>`;

/** Pages like those of storefront platforms' themes, with their class names. */
const SHOPS: Readonly<Record<string, Shop>> = {
  'Shopify, Dawn, with a ProductGroup': {
    title: 'Copper lamp – Lumen',
    head: '<script>var Shopify = Shopify || {};\nShopify.shop = "lumen-eu.myshopify.com";\nShopify.currency = {"active":"EUR","rate":"1.0"};</script><meta property="og:site_name" content="Lumen">',
    body: `<div class="product__title"><h1>Copper lamp</h1></div><div class="price price--large"><div class="price__container"><div class="price__regular">
<span class="visually-hidden visually-hidden--inline">Normaler Preis</span><span class="price-item price-item--regular">€79,00 EUR</span></div>
<div class="price__sale"><span class="visually-hidden">Normaler Preis</span><span><s class="price-item price-item--regular"></s></span></div>
<small class="unit-price caption hidden"><span>Grundpreis</span><span class="price-item price-item--last"><span></span><span>/</span><span>&nbsp;pro&nbsp;</span></span></small></div></div>
<button type="submit" name="add" class="product-form__submit"><span>In den Warenkorb legen</span></button>${related('€19,00')}
${jsonLd({
  '@context': 'http://schema.org/',
  '@id': '/products/copper-lamp#product',
  '@type': 'ProductGroup',
  brand: { '@type': 'Brand', name: 'Nordlicht' },
  name: 'Copper lamp',
  productGroupID: '7511',
  url: 'https://lumen.example/products/copper-lamp',
  hasVariant: ['Small', 'Large'].map((size, i) => ({
    '@id': `/products/copper-lamp?variant=${i}#variant`,
    '@type': 'Product',
    name: `Copper lamp - ${size}`,
    sku: `CL-${size[0]}`,
    offers: {
      '@id': `/products/copper-lamp?variant=${i}#offer`,
      '@type': 'Offer',
      availability: 'http://schema.org/InStock',
      price: '79.00',
      priceCurrency: 'EUR',
      url: `https://lumen.example/products/copper-lamp?variant=${i}`,
    },
  })),
})}`,
    name: 'Copper lamp',
    price: '79',
    currency: 'EUR',
    availability: 'InStock',
    brand: 'Nordlicht',
    platform: 'shopify',
  },
  'Shopify, Debut, by microdata': {
    title: 'Copper lamp | Lumen',
    head: '<link rel="stylesheet" href="//cdn.shopify.com/s/files/1/0001/t/3/assets/theme.scss.css"><script>window.ShopifyAnalytics = {};</script>',
    body: `<div class="product-template__container page-width" itemscope itemtype="http://schema.org/Product" id="ProductSection-product-template">
<meta itemprop="name" content="Copper lamp"><meta itemprop="url" content="https://lumen.example/products/copper-lamp">
<div class="product-single__meta"><h1 class="product-single__title">Copper lamp</h1>
<div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="GBP"><link itemprop="availability" href="http://schema.org/OutOfStock">
<p class="product-single__price"><s id="ComparePrice">£100.00</s><span class="product-price__price product-price__sale" itemprop="price" content="79.0">£79.00</span></p>
<button type="submit" disabled="disabled" class="btn product-form__cart-submit"><span>Sold out</span></button></div></div></div>`,
    price: '79',
    currency: 'GBP',
    availability: 'OutOfStock',
    platform: 'shopify',
  },
  'Shopify, embedded product JSON only': {
    title: 'Copper lamp – Lumen',
    head: '<script>Shopify.theme = {"name":"Custom","id":1};</script><meta property="og:price:amount" content="79,00"><meta property="og:price:currency" content="PLN">',
    body: `<h1 class="h2">Copper lamp</h1><script type="application/json" id="ProductJson-template">{"id":1,"title":"Copper lamp","handle":"copper-lamp","vendor":"Nordlicht",
"price":7900,"available":true,"variants":[{"id":9,"title":"Default Title","sku":"CL-9","price":7900,"available":true}]}</script>`,
    price: '79',
    currency: 'PLN',
    availability: 'InStock',
    brand: 'Nordlicht',
    platform: 'shopify',
  },
  'WooCommerce, variable, by its variation form': {
    title: 'Copper lamp - Lumen',
    bodyClass: 'product-template-default single single-product postid-77 woocommerce woocommerce-page',
    body: `<div id="product-77" class="product type-product"><div class="summary entry-summary"><h1 class="product_title entry-title">Copper lamp</h1>
<p class="price"><span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">&#36;</span>79.00</bdi></span> &ndash; <span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">&#36;</span>99.00</bdi></span></p>
<form class="variations_form cart" data-product_variations="[{&quot;display_price&quot;:79,&quot;is_in_stock&quot;:true,&quot;sku&quot;:&quot;CL-S&quot;},{&quot;display_price&quot;:99,&quot;is_in_stock&quot;:true,&quot;sku&quot;:&quot;CL-L&quot;}]">
<button type="submit" class="single_add_to_cart_button button alt">Add to cart</button></form>
<div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">CL-77</span></span></div></div>
<section class="related products"><h2>Related products</h2>${related('$19.00')}</section></div>`,
    price: '79',
    availability: 'InStock',
    sku: 'CL-77',
    platform: 'woocommerce',
  },
  'WooCommerce, block theme, with a graph by Yoast': {
    title: 'Copper lamp - Lumen',
    lang: 'nl-NL',
    head: `${jsonLd({
      '@context': 'https://schema.org',
      '@graph': [
        {
          '@type': ['WebPage', 'ItemPage'],
          '@id': 'https://lumen.example/product/copper-lamp/',
          url: 'https://lumen.example/product/copper-lamp/',
          name: 'Copper lamp - Lumen',
        },
        { '@type': 'WebSite', '@id': 'https://lumen.example/#website', name: 'Lumen' },
        { '@type': 'Organization', '@id': 'https://lumen.example/#organization', name: 'Lumen' },
        {
          '@type': 'Product',
          '@id': 'https://lumen.example/product/copper-lamp/#product',
          name: 'Copper lamp',
          sku: 'CL-77',
          mainEntityOfPage: { '@id': 'https://lumen.example/product/copper-lamp/' },
          brand: { '@type': 'Brand', name: 'Nordlicht' },
          offers: [
            {
              '@type': 'Offer',
              priceSpecification: [
                {
                  '@type': 'UnitPriceSpecification',
                  price: '79.50',
                  priceCurrency: 'EUR',
                  valueAddedTaxIncluded: true,
                },
              ],
              availability: 'https://schema.org/InStock',
              seller: { '@id': 'https://lumen.example/#organization' },
            },
          ],
        },
      ],
    })}<link rel="stylesheet" href="/wp-content/plugins/woocommerce/assets/client/blocks/wc-blocks.css">`,
    body: `<h1 class="wp-block-post-title">Copper lamp</h1><div class="wp-block-woocommerce-product-price"><div class="wc-block-components-product-price"><span class="woocommerce-Price-amount amount">&euro;&nbsp;79,50</span></div></div>`,
    price: '79.5',
    currency: 'EUR',
    availability: 'InStock',
    sku: 'CL-77',
    brand: 'Nordlicht',
    platform: 'woocommerce',
  },
  'WooCommerce, with a graph by Rank Math': {
    title: 'Copper lamp - Lumen',
    head: `<link rel="stylesheet" href="/wp-content/plugins/woocommerce/assets/css/woocommerce.css">${jsonLd({
      '@context': 'https://schema.org',
      '@graph': [
        { '@type': 'Place', '@id': 'https://lumen.example/#place' },
        {
          '@type': 'Product',
          brand: { '@type': 'Brand', name: 'Nordlicht' },
          name: 'Copper lamp - Lumen',
          sku: 'CL-77',
          category: 'Lamps',
          mainEntityOfPage: { '@id': 'https://lumen.example/product/copper-lamp/#webpage' },
          offers: {
            '@type': 'AggregateOffer',
            lowPrice: '79.00',
            highPrice: '99.00',
            offerCount: '2',
            priceCurrency: 'USD',
            availability: 'http://schema.org/OutOfStock',
          },
          '@id': 'https://lumen.example/product/copper-lamp/#richSnippet',
        },
      ],
    })}`,
    body: '<h1 class="product_title entry-title">Copper lamp</h1>',
    price: '79',
    currency: 'USD',
    availability: 'OutOfStock',
    brand: 'Nordlicht',
  },
  'Magento 2, Luma': {
    title: 'Copper lamp',
    lang: 'en-GB',
    body: `<div class="product-info-main"><div class="page-title-wrapper product"><h1 class="page-title"><span class="base" data-ui-id="page-title-wrapper" itemprop="name">Copper lamp</span></h1></div>
<div class="product-info-price"><div class="price-box price-final_price" data-role="priceBox" data-product-id="44"><span class="special-price"><span class="price-container price-final_price tax weee">
<span class="price-label">Special Price</span><span id="product-price-44" data-price-amount="79.2" data-price-type="finalPrice" class="price-wrapper"><span class="price">£79.20</span></span></span></span>
<span class="old-price"><span class="price-container"><span class="price-label">Regular Price</span><span id="old-price-44" data-price-amount="99" data-price-type="oldPrice" class="price-wrapper"><span class="price">£99.00</span></span></span></span></div>
<div class="product-info-stock-sku"><div class="stock available" title="Availability"><span>In stock</span></div><div class="product attribute sku"><strong class="type">SKU</strong><div class="value" itemprop="sku">CL-44</div></div></div></div>
<button type="submit" title="Add to Basket" class="action primary tocart" id="product-addtocart-button"><span>Add to Basket</span></button></div>
<div class="block related"><strong>Related Products</strong>${related('£19.00')}</div>`,
    price: '79.2',
    currency: 'GBP',
    availability: 'InStock',
    sku: 'CL-44',
    platform: 'custom',
  },
  'BigCommerce, Cornerstone': {
    title: 'Copper lamp - Lumen',
    body: `<div class="productView"><section class="productView-details product-data"><div class="productView-product"><h1 class="productView-title">Copper lamp</h1>
<h2 class="productView-brand"><a href="https://lumen.example/brands/Nordlicht.html"><span>Nordlicht</span></a></h2>
<div class="productView-price"><div class="price-section price-section--withoutTax rrp-price--withoutTax" style="display: none;"><span>MSRP:</span><span data-product-rrp-price-without-tax class="price price--rrp"></span></div>
<div class="price-section price-section--withoutTax non-sale-price--withoutTax"><span>Was:</span><span data-product-non-sale-price-without-tax class="price price--non-sale">$99.00</span></div>
<div class="price-section price-section--withoutTax"><span class="price-label"></span><span class="price-now-label">Now:</span><span data-product-price-without-tax class="price price--withoutTax">$79.00</span></div>
<div class="price-section price-section--saving price"><span class="price">(You save</span><span data-product-price-saved class="price price--saving">$20.00</span><span class="price">)</span></div></div>
<dl class="productView-info"><dt class="productView-info-name sku-label">SKU:</dt><dd class="productView-info-value" data-product-sku>CL-12</dd></dl></div></section>
<form><input id="form-action-addToCart" class="button button--primary" type="submit" value="Add to Cart"></form></div>`,
    price: '79',
    currency: 'USD',
    availability: 'InStock',
    sku: 'CL-12',
    brand: 'Nordlicht',
  },
  'PrestaShop, Classic': {
    title: 'Lampe en cuivre',
    lang: 'fr-FR',
    url: 'https://lumen.example/lampes/21-lampe-en-cuivre.html',
    body: `<section id="main"><h1 class="h1">Lampe en cuivre</h1><div class="product-prices js-product-prices"><div class="product-discount"><span class="regular-price">99,00&nbsp;€</span></div>
<div class="product-price h5 has-discount"><div class="current-price"><span class='current-price-value' content="79.2">79,20&nbsp;€</span><span class="discount discount-percentage">Économisez 20%</span></div></div>
<div class="tax-shipping-delivery-label">TTC <span class="delivery-information">Livraison 4,90&nbsp;€</span></div></div>
<button class="btn btn-primary add-to-cart" data-button-action="add-to-cart" type="submit">Ajouter au panier</button>
<span id="product-availability" class="js-product-availability"><i class="material-icons rtl-no-flip product-available">&#xE5CA;</i> En stock</span>
<div class="product-manufacturer"><label class="label">Marque</label><span><a href="https://lumen.example/brand/1-nordlicht">Nordlicht</a></span></div>
<div class="product-reference"><label class="label">Référence </label><span>demo_21</span></div></section>`,
    price: '79.2',
    currency: 'EUR',
    availability: 'InStock',
    sku: 'demo_21',
    brand: 'Nordlicht',
  },
  Squarespace: {
    title: 'Copper lamp — Lumen',
    head: `<meta property="og:type" content="product"><meta property="product:price:amount" content="79.00"><meta property="product:price:currency" content="USD"><meta property="product:availability" content="instock">`,
    body: `<h1 class="ProductItem-details-title">Copper lamp</h1><div class="ProductItem-product-price"><div class="product-price">$79.00</div></div>${jsonLd({ '@context': 'http://schema.org', '@type': 'Product', name: 'Copper lamp — Lumen', image: 'http://static1.squarespace.com/a.jpg', brand: 'Lumen', offers: { price: 79, priceCurrency: 'USD', url: 'https://lumen.example/shop/copper-lamp', availability: 'InStock', sku: 'SQ123', '@type': 'Offer' } })}`,
    price: '79',
    currency: 'USD',
    availability: 'InStock',
    sku: 'SQ123',
  },
  Wix: {
    title: 'Copper lamp | Lumen',
    body: `<h1 data-hook="product-title">Copper lamp</h1><div data-hook="sku">SKU: 364215376135191</div><div data-hook="product-price"><span data-hook="formatted-secondary-price">99,00&nbsp;€</span><span>Regular Price</span><span data-hook="formatted-primary-price">79,00&nbsp;€</span><span>Sale Price</span></div><button data-hook="add-to-cart"><span>Add to Cart</span></button>`,
    price: '79',
    currency: 'EUR',
    availability: 'InStock',
    sku: '364215376135191',
  },
  'Shopware 6': {
    title: 'Kupferlampe | CL-10',
    lang: 'de-DE',
    body: `<div class="product-detail" itemscope itemtype="https://schema.org/Product"><h1 class="product-detail-name" itemprop="name">Kupferlampe</h1>
<div class="product-detail-buy"><meta itemprop="brand" content="Nordlicht"><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><meta itemprop="price" content="79.9">
<p class="product-detail-price with-list-price">79,90 €* <span class="list-price-price">99,90 €*</span> <span class="list-price-percentage">(20.02% gespart)</span></p>
<div class="product-detail-price-unit"><span class="price-unit-label">Inhalt:</span><span class="price-unit-content">0.5 Kilogramm</span> <span class="price-unit-reference-content">(159,80 €* / 1 Kilogramm)</span></div>
<p class="product-detail-tax">Preise inkl. MwSt. zzgl. Versandkosten</p><link itemprop="availability" href="http://schema.org/InStock"><p class="delivery-information">Sofort verfügbar, Lieferzeit: 1-3 Tage</p></div>
<span class="product-detail-ordernumber-label">Produktnummer:</span><span class="product-detail-ordernumber" itemprop="sku">CL-10</span></div></div>`,
    price: '79.9',
    currency: 'EUR',
    availability: 'InStock',
    sku: 'CL-10',
    brand: 'Nordlicht',
  },
  Shoptet: {
    title: 'Měděná lampa - Lumen',
    lang: 'cs',
    url: 'https://lumen.example/medena-lampa/',
    body: `<div class="p-detail-inner-header"><h1>Měděná lampa</h1><span class="p-code">Kód: <span>CL-31</span></span></div><div class="p-final-price-wrapper"><span class="price-standard"><span>2 490 Kč</span></span><span class="price-save">–20 %</span>
<strong class="price-final"><span class="price-final-holder">1 990 Kč</span></strong><span class="price-additional">1 644,63 Kč bez DPH</span></div><span class="availability-label">Skladem (3 ks)</span>
<button type="submit" class="btn add-to-cart-button">Přidat do košíku</button><div class="p-info"><a href="/znacka/nordlicht/">Značka: <span>Nordlicht</span></a></div>`,
    price: '1990',
    currency: 'CZK',
    availability: 'InStock',
    sku: 'CL-31',
    brand: 'Nordlicht',
  },
  VTEX: {
    title: 'Luminária de cobre - Lumen',
    lang: 'pt-BR',
    url: 'https://www.lumen.example/luminaria-de-cobre/p',
    body: `<h1 class="vtex-store-components-3-x-productNameContainer"><span class="vtex-store-components-3-x-productBrand">Luminária de cobre</span></h1>
<div class="vtex-product-price-1-x-listPrice">De <span class="vtex-product-price-1-x-listPriceValue strike">R$ 1.399,90</span></div>
<div class="vtex-product-price-1-x-sellingPrice">Por <span class="vtex-product-price-1-x-sellingPriceValue">R$ 1.199,90</span></div>
<div class="vtex-product-price-1-x-installments">em até 10x de R$ 119,99 sem juros</div><button class="vtex-button"><span>Adicionar ao carrinho</span></button>`,
    price: '1199.9',
    currency: 'BRL',
    availability: 'InStock',
  },
  'a shop on Next.js': {
    title: 'Copper lamp | Lumen',
    body: `<h1>Copper lamp</h1><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps: { product: { name: 'Copper lamp', sku: 'NX-4', brand: { name: 'Nordlicht' }, price: { amount: 79.9, currency: 'SEK' }, inStock: false }, relatedProducts: [{ name: 'Copper lamp shade', price: { amount: 9, currency: 'SEK' } }] } } })}</script>`,
    price: '79.9',
    currency: 'SEK',
    availability: 'OutOfStock',
    sku: 'NX-4',
    brand: 'Nordlicht',
  },
};

describe('a product page as platforms build it', () => {
  it.each(Object.entries(SHOPS))('%s', (_, { title, body, lang, head, bodyClass, url, ...expected }) => {
    const html = shopPage({
      title,
      body,
      ...(lang !== undefined && { lang }),
      ...(head !== undefined && { head }),
      ...(bodyClass !== undefined && { bodyClass }),
    });
    expect(valuesOf(html, url ?? 'https://lumen.example/products/copper-lamp')).toMatchObject(expected);
  });
});
