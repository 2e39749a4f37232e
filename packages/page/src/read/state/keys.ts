/** Names that shops' scripts use for what a product has, the surest first. */
export const NAMES = [
  'name',
  'title',
  'productName',
  'product_name',
  'item_name',
  'content_name',
  'displayName',
  'productTitle',
  'product_title',
] as const;
export const PRICES = [
  'salePrice',
  'sale_price',
  'specialPrice',
  'finalPrice',
  'final_price',
  'currentPrice',
  'current_price',
  'display_price',
  'priceWithTax',
  'price',
  'productPrice',
  'product_price',
  'value',
  'unitPrice',
  'sellingPrice',
] as const;
export const SKUS = [
  'sku',
  'productSku',
  'product_sku',
  'articleNumber',
  'reference',
  'itemNumber',
  'productCode',
  'product_code',
  'code',
  'item_id',
  'productId',
  'product_id',
] as const;
export const BRANDS = [
  'brand',
  'brandName',
  'brand_name',
  'vendor',
  'manufacturer',
  'item_brand',
  'product_brand',
  'marke',
] as const;
export const CURRENCIES = [
  'currency',
  'currencyCode',
  'currency_code',
  'priceCurrency',
  'currencyIso',
] as const;
/** Ways on which other products than the page's lie. */
export const OTHERS =
  /impression|related|recommend|similar|upsell|crosssell|cross_sell|wishlist|cart|basket|recently|carousel|promo|category|breadcrumb|menu|search|listing|bestseller|review/i;
/** Ways that lead to the product of a page that shows one. */
export const DETAILS =
  /^(?:product|products|detail|item|items|pdp|ecommerce|currentProduct|selectedProduct|productDetails?)$/;
export const AMOUNTS = ['amount', 'value', 'current', 'price', 'sale', 'gross'] as const;
export const AVAILABILITIES = [
  'available',
  'is_in_stock',
  'inStock',
  'in_stock',
  'isAvailable',
  'isInStock',
  'orderable',
  'buyable',
  'purchasable',
] as const;
