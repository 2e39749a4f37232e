/** The style sheet of the demo shop, mobile first. */
export const SHOP_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f7f3ec; --ink: #2a2521; --soft: #6d6259; --line: #ddd3c5; --accent: #8a4b2a; --on-accent: #fffaf3;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif;
  --sans: "Avenir Next", Avenir, "Segoe UI", "Helvetica Neue", "Noto Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #201c19; --ink: #efe8dd; --soft: #b3a698; --line: #40382f; --accent: #e0a27c; --on-accent: #241a14; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--sans); }
a { color: inherit; text-underline-offset: .2em; text-decoration-thickness: 1px; }
a:focus-visible, button:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
img { display: block; width: 100%; height: auto; }
product-certificate img { width: auto; }
.wide { max-width: 68rem; margin-inline: auto; padding-inline: 1.25rem; }
.masthead { border-bottom: 1px solid var(--line); }
.masthead .wide { display: flex; align-items: baseline; justify-content: space-between; gap: 1rem; padding-block: 1.1rem; }
.name { font: 600 1.35rem/1.2 var(--serif); text-decoration: none; white-space: nowrap; }
.masthead span { color: var(--soft); font-size: .875rem; }
main { padding-block: 2rem 3.5rem; }
h1 { font: 500 clamp(1.9rem, 1.4rem + 2.4vw, 3rem)/1.1 var(--serif); letter-spacing: -.01em; margin: 0 0 .75rem; text-wrap: balance; }
.lead { max-width: 34rem; margin: 0 0 2.25rem; color: var(--soft); font-size: 1.0625rem; text-wrap: pretty; }
.shelf { list-style: none; margin: 0; padding: 0; display: grid; gap: 2rem 1.25rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13.5rem), 1fr)); }
@media (max-width: 32rem) { .shelf { grid-template-columns: 1fr; } }
.shelf a { text-decoration: none; }
.shelf a:hover h2 { text-decoration: underline; }
.shelf h2 { font: 500 1.125rem/1.3 var(--serif); margin: .8rem 0 0; }
.shelf p { margin: 0 0 .7rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.path { margin: 0 0 1.5rem; color: var(--soft); font-size: .875rem; }
.product { display: grid; gap: 2rem; }
@media (min-width: 48rem) { .product { grid-template-columns: 1.15fr 1fr; gap: 3.5rem; align-items: start; } }
.pictures { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
.pictures img:first-child { grid-column: 1 / -1; }
.price { font: 500 1.5rem/1.3 var(--serif); margin: 0; font-variant-numeric: tabular-nums; }
.stock { color: var(--soft); margin: 0 0 1.25rem; font-size: .9375rem; }
.words { font: 1.125rem/1.6 var(--serif); margin: 0 0 1.75rem; max-width: 30rem; text-wrap: pretty; }
.buy, .gate button { font: 600 1rem/1 var(--sans); padding: 1rem 1.75rem; border: 0; border-radius: 2px; background: var(--accent); color: var(--on-accent); cursor: pointer; }
.buy[disabled] { background: none; color: var(--soft); border: 1px solid var(--line); cursor: default; }
.badge { display: block; margin-block: 2rem 0; padding-block-start: 1.5rem; border-block-start: 1px solid var(--line); line-height: 0; }
dl { margin: 1.75rem 0 0; display: grid; grid-template-columns: auto 1fr; gap: .3rem 1.5rem; font-size: .9375rem; }
dt { color: var(--soft); }
dd { margin: 0; }
.gate { max-width: 24rem; margin: 4rem auto; display: grid; gap: 1rem; }
.gate input { display: block; width: 100%; font: inherit; padding: .7rem; border: 1px solid var(--soft); background: none; color: inherit; border-radius: 2px; }
footer { border-top: 1px solid var(--line); color: var(--soft); font-size: .875rem; padding-block: 1.5rem 2.5rem; }
`;
