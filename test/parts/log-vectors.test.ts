import { describe, expect, it } from 'vitest';
import { LOG_ANSWERS } from '../kit/log-answers.ts';
import { logVectorsOf } from '../kit/log-vectors.ts';

describe.each(Object.entries(LOG_ANSWERS))('the vectors of transparency logs, %s', (file, answerTo) => {
  it.each(logVectorsOf(file))('$id: $title', async (vector) => {
    expect(await answerTo(vector as never)).toEqual(vector.expect);
  });
});
