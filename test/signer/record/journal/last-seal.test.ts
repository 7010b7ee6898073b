import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { sealedText } from '../../../../signer/record/journal/chained-lines';
import { lastSealEnd } from '../../../../signer/record/journal/last-seal';
import { temporaryFolder } from '../../fixtures';

const folder = temporaryFolder();
afterAll(folder.remove);

const batch = (length: number) =>
  sealedText(Buffer.alloc(32, 1), [{ json: JSON.stringify('x'.repeat(length)) }], '0'.repeat(64)).text;
async function endIn(content: string): Promise<number> {
  const file = await open(join(folder.path, 'file'), 'w+');
  try {
    await file.writeFile(content);
    return await lastSealEnd(file);
  } finally {
    await file.close();
  }
}

test('the last seal is found after lines of any length, across the edges of read blocks, and before a tail of any length', async () => {
  const whole = batch(10);
  expect([await endIn(''), await endIn('torn'), await endIn(whole)]).toEqual([0, 0, whole.length]);
  const window = 64 * 1024;
  for (const tail of [1, window - 141, window - 140, window - 1, window, window + 1, 5 * window])
    expect(await endIn(`${batch(200_000)}${whole}${'y'.repeat(tail)}`)).toBe(batch(200_000).length + whole.length);
});

test('the last of two seals in a row is found, and a seal inside an attachment is ignored', async () => {
  const twice = batch(1) + batch(1).split('\n').slice(1).join('\n');
  expect(await endIn(twice)).toBe(twice.length);
  const attached = `${batch(1)}+ ${JSON.stringify([batch(1)])}\n`;
  expect(await endIn(attached)).toBe(batch(1).length);
});
