import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../local/fleets/machine';
import { CEREMONIES_PAGE } from '../support/ceremony-page';
import { CeremonyWalk } from '../support/ceremony-walk';
import { ROOT } from '../support/compose';
import { DICE, PIN } from '../support/offline-fleet';

const PROGRAM = join(ROOT, 'dist', 'strongroom-offline-signer.mjs');
jest.setTimeout(600_000);

const walk = new CeremonyWalk(CEREMONIES_PAGE, async (folder, words, answer) => {
  const { code, lines } = await runProgram({ program: PROGRAM, folder, words, answer });
  if (code !== 0) throw new Error(`${words.join(' ')}\n${lines.join('\n')}`);
  return lines;
});
afterAll(() => walk.remove());

test('the file of the program holds every ceremony of the page, between folders that share only archives', async () => {
  await walk.walk();
  expect(walk.unseen).toEqual([]);
  expect(walk.service.signed).toEqual({ OnchainSign: 20, ProofOfControl: 1 });
  expect(walk.service.head()?.devices.map(({ serial }) => serial)).toEqual(['D-1', 'D-2', 'D-3']);
  const medium = join(walk.root, 'medium');
  const carried = readdirSync(medium, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = carried.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  expect(carried.filter(({ name }) => name.startsWith('record-'))).toHaveLength(walk.done.length);
  for (const secret of [PIN, DICE, DICE.replaceAll(' ', '')]) expect(texts.filter((text) => text.includes(secret))).toEqual([]);
});
