export { readFacts } from './read-facts.ts';
export { type StatedProduct, statedProduct } from './stated-product.ts';
