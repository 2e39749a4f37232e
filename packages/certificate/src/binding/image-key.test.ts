import { describe, expect, it } from 'vitest';
import { imageKey } from './image-key.ts';

describe('the key of an image', () => {
  it.each([
    ['a size and a version', 'https://a.example/cup_600x800.jpg?v=1&width=300', 'http://a.example/cup.jpg'],
    [
      'a size of a file that is named by its size',
      'https://a.example/cup-800x800_600x.jpg',
      'https://a.example/cup-800x800.jpg',
    ],
    ['WordPress', 'https://a.example/uploads/cup-300x300.jpg', 'https://a.example/uploads/cup-scaled.jpg'],
    ['a CDN before the shop', 'https://i0.wp.com/a.example/cup.jpg?resize=300', 'https://a.example/cup.jpg'],
    [
      'a shop that serves its platform’s files',
      'https://a.example/cdn/shop/files/Cup.png?v=2',
      'https://cdn.shopify.com/s/files/1/0352/5133/files/cup_1024x1024.png',
    ],
  ])('is the same with %s', (_, one, other) => {
    expect(imageKey(one)).toBe(imageKey(other));
  });

  it.each([
    ['file', 'https://a.example/cup.jpg', 'https://a.example/mug.jpg'],
    ['host', 'https://a.example/cup.jpg', 'https://b.example/cup.jpg'],
    ['parameter that names it', 'https://a.example/image?id=1', 'https://a.example/image?id=2'],
  ])('differs for another %s', (_, one, other) => {
    expect(imageKey(one)).not.toBe(imageKey(other));
  });

  it('is null for what is no address', () => {
    expect(imageKey('#')).toBeNull();
  });
});
