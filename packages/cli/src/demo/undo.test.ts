import { expect, it } from 'vitest';
import { createUndo } from './undo.ts';

it('undoes the newest first, once, and continues after a step that fails', async () => {
  const undo = createUndo();
  const done: string[] = [];
  undo.add(async () => void done.push('folder'));
  undo.add(async () => {
    throw new Error('still in use');
  });
  undo.add(async () => void done.push('service'));
  const ends = [undo.all(), undo.all()];
  for (const end of ends) await expect(end).rejects.toThrow('still in use');
  expect(done).toEqual(['service', 'folder']);
});
