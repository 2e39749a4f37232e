import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf } from './kit/anchors.ts';
import { citations, scenarioFiles } from './kit/citations.ts';
import { ROOT } from './kit/imports.ts';
import { REQUIREMENTS } from './requirements.ts';

const cited = citations();
const citedIds = new Set(cited.map(({ id }) => id));

describe('the requirements', () => {
  it('have one id each', () => {
    const ids = REQUIREMENTS.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.length).toBeGreaterThan(180);
  });

  it('are each cited by a scenario or a vector', () => {
    const uncited = REQUIREMENTS.filter(({ id }) => !citedIds.has(id));
    expect(uncited.map(({ id, rule }) => `${id}: ${rule}`)).toEqual([]);
  });

  it('that the specification leaves open name the interpretation that decides them', () => {
    const unsettled = REQUIREMENTS.filter(
      ({ level, settledBy }) => (level === 'open') !== (settledBy !== undefined),
    );
    expect(unsettled).toEqual([]);
    const headings = anchorsOf(join(ROOT, 'docs/interpretation.md'));
    const missing = REQUIREMENTS.filter(
      ({ settledBy }) => settledBy !== undefined && !headings.has(settledBy),
    );
    expect(missing).toEqual([]);
  });
});

describe('the citations', () => {
  it('name existing rules', () => {
    const known = new Set(REQUIREMENTS.map(({ id }) => id));
    expect(cited.filter(({ id }) => !known.has(id))).toEqual([]);
  });

  it('are in scenarios that run: none is skipped, left for later or run alone', () => {
    const idle = /\.(skip|todo|only|skipIf|runIf|fails)\b/;
    expect(scenarioFiles().filter((file) => idle.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });
});
