import type { BadgeState } from './badge-result.ts';

/** Outline and mark in a square of 24; every state has a unique combination. `open` outlines are stroked, not filled. */
interface Icon {
  readonly outline: string;
  readonly mark: string;
  readonly open?: true;
}

const CIRCLE = 'M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20z';
const DIAMOND = 'M12 1.6 22.4 12 12 22.4 1.6 12z';
const OCTAGON = 'M7.9 2h8.2L22 7.9v8.2L16.1 22H7.9L2 16.1V7.9z';

const ICONS: Readonly<Record<BadgeState, Icon>> = {
  checking: { outline: CIRCLE, mark: 'M7.5 12h.01m4.49 0h.01m4.49 0h.01', open: true },
  verified: { outline: CIRCLE, mark: 'm7.2 12.4 3.3 3.3 6.3-7' },
  signed: { outline: CIRCLE, mark: 'M8 10h8M8 14h5', open: true },
  unproven: { outline: 'M12 3 22 20.4H2z', mark: 'M12 9v5m0 2.6v.4', open: true },
  differs: { outline: DIAMOND, mark: 'M8.4 10.3h7.2M8.4 13.7h7.2M14 7.6l-4 8.8' },
  withdrawn: { outline: CIRCLE, mark: 'm9 9 6 6m0-6-6 6', open: true },
  suspended: { outline: CIRCLE, mark: 'M9.5 8.5v7m5-7v7', open: true },
  address: { outline: DIAMOND, mark: 'M8 12h8m-3-3 3 3-3 3', open: true },
  listed: { outline: CIRCLE, mark: 'm10 8 4 4-4 4', open: true },
  framed: { outline: 'M3 3h18v18H3z', mark: 'M9 9h6v6H9z', open: true },
  site: { outline: OCTAGON, mark: 'm8.3 8.3 7.4 7.4m0-7.4-7.4 7.4' },
  page: { outline: OCTAGON, mark: 'M7 12h10' },
  expired: { outline: CIRCLE, mark: 'M12 7v5.4l3.4 2.2', open: true },
  invalid: { outline: 'M12 2.2 23 21.4H1z', mark: 'M12 9v5.6m0 2.3v1.4' },
  unsigned: { outline: CIRCLE, mark: 'm8.6 15.4 6.8-6.8', open: true },
  none: { outline: CIRCLE, mark: 'M8 12h8', open: true },
  unknown: {
    outline: CIRCLE,
    mark: 'M9.2 9.4a2.8 2.8 0 1 1 4 2.6c-.8.4-1.2 1-1.2 1.9m0 2.4v1.3',
    open: true,
  },
};

const SVG = 'http://www.w3.org/2000/svg';

export function icon(state: BadgeState): SVGElement {
  const { outline, mark, open } = ICONS[state];
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  for (const [path, name] of [
    [outline, open ? 'line' : 'fill'],
    [mark, open ? 'line' : 'mark'],
  ] as const) {
    const drawn = document.createElementNS(SVG, 'path');
    drawn.setAttribute('d', path);
    drawn.setAttribute('class', name);
    svg.append(drawn);
  }
  return svg;
}
