import { createHmac } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { openJournalKeys } from '../../../../signer/record/journal/journal-keys';
import { openJournal } from '../../../../signer/record/journal/open-journal';
import { kekOf, temporaryFolder } from '../../fixtures';

const temporary = temporaryFolder();
let stateDir: string;
let count = 0;
beforeEach(() => {
  count += 1;
  stateDir = join(temporary.path, `state-${count}`);
  mkdirSync(stateDir);
});
afterAll(temporary.remove);

const open = () => openJournal({ stateDir, kek: kekOf(7), onBroken: () => undefined });
async function write(requestId: string): Promise<void> {
  const journal = await open();
  await journal.append({ kind: 'Withdrawn', orgId: 'or-a', requestId });
  await journal.close();
}
const segment = () => join(stateDir, 'journal-000001.jsonl');
const folder = () => join(stateDir, readdirSync(stateDir).find((name) => name.startsWith('index-')) ?? '');
/** Writes the checkpoint as earlier releases did. */
async function makeEarlier(): Promise<void> {
  const { value: key } = await openJournalKeys(stateDir, kekOf(7), false);
  const level = new ClassicLevel<string, Buffer>(folder(), { valueEncoding: 'buffer' });
  const { format, ...earlier } = JSON.parse((await level.get('checkpoint'))?.subarray(16).toString('utf8') ?? '');
  expect(format).toBe(2);
  const json = JSON.stringify(earlier);
  const tag = createHmac('sha256', key).update(`checkpoint\n${json}`).digest().subarray(0, 16);
  await level.put('checkpoint', Buffer.concat([tag, Buffer.from(json)]));
  await level.close();
}

test('an index of an earlier release is rebuilt from the journal once', async () => {
  await write('1');
  await write('2');
  const mark = join(folder(), 'mark');
  writeFileSync(mark, '');
  await (await open()).close();
  expect(existsSync(mark)).toBe(true);
  await makeEarlier();
  const journal = await open();
  expect(['1', '2', '3'].map((id) => journal.index.get(`withdrawn/or-a/${id}`))).toEqual([true, true, undefined]);
  await journal.close();
  expect(existsSync(mark)).toBe(false);
  writeFileSync(mark, '');
  await (await open()).close();
  expect(existsSync(mark)).toBe(true);
});

test('lines that are missing from the journal are still detected with an index of an earlier release', async () => {
  await write('1');
  const older = readFileSync(segment());
  await write('2');
  await makeEarlier();
  writeFileSync(segment(), older);
  await expect(open()).rejects.toThrow(/lacks lines that its index has/);
  await expect(open()).rejects.toThrow(/lacks lines that its index has/);
});
