import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkpointBytes, readCheckpoint } from '../../platform/chain-checkpoint';
import { checkChain } from '../../verify/hash-chain';
import { WrongUsage } from '../../verify/not-verified';
import { openOperations, temporaryFolder } from '../signer/fixtures';
import vectors from '../vectors/feed.json';
import { refusal } from './office';

let folder: ReturnType<typeof temporaryFolder>;
let state: ReturnType<typeof temporaryFolder>;
let signer: Awaited<ReturnType<typeof openOperations>>;
beforeAll(async () => {
  folder = temporaryFolder();
  state = temporaryFolder();
  signer = await openOperations(state.path);
});
afterAll(async () => {
  await signer.close();
  folder.remove();
  state.remove();
});

const { organizationId: organization } = vectors;
const items = vectors.items.map(({ canonical: _text, ...item }) => item);
const [first, second, third] = items as [Item, Item, Item];
type Item = (typeof items)[number];
const cursorOf = ({ sequence, hash }: Pick<Item, 'sequence' | 'hash'>) => `${sequence}-${hash}`;
const headOf = ({ sequence, hash }: Pick<Item, 'sequence' | 'hash'>) => ({ sequence, hash, date: '2026-11-30T11:00:01.000Z' });
const attested = async ({ sequence, hash }: Item, orgId = organization) => ({
  sequence,
  ...(await signer.attestFeed({ orgId, sequence, hash })),
});

function written(name: string, content: unknown): string {
  const file = join(folder.path, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}
const page = (more: object = {}) => written('events.json', { items, nextCursor: cursorOf(third), head: headOf(third), ...more });
const check = (file: string, more: object = {}) => checkChain('feed', { file, organization, ...more }).join('\n');
const withKey = () => ({ signerKey: signer.attestor.publicKeyHex });

test('all events up to the head verify', () => {
  const shown = check(page());
  expect(shown).toContain('Events        1 to 3');
  expect(shown).toContain(`Cursor        ${cursorOf(third)}`);
  expect(shown).toMatch(
    /\nNOT VERIFIED: that the signer attested the feed\. Give --signer-key\.\nVERIFIED: these are all events/,
  );
});

test('a page in the middle verifies with its cursor, and the output states that the feed continues', () => {
  const file = page({ items: [second], nextCursor: cursorOf(second) });
  expect(check(file, { after: cursorOf(first) })).toMatch(
    /Events {8}2 to 2\n.*\n.*\nVERIFIED: .* The feed continues to 3: continue reading from the cursor/,
  );
  expect(check(page({ items: [] }), { after: cursorOf(third) })).toContain('Events        none');
});

test('the checkpoint in the response and a checkpoint from another source verify with the signer’s key', async () => {
  const early = written('early.json', await attested(second));
  const file = page({ head: { ...headOf(third), checkpoint: await attested(third) } });
  expect(check(file, withKey())).toContain('Checkpoint    3, signed ');
  expect(check(file, { ...withKey(), checkpoint: early })).toContain('Checkpoint    2, signed ');
  const later = { ...withKey(), after: cursorOf(third), checkpoint: early };
  expect(check(page({ items: [] }), later)).toContain(
    'NOT VERIFIED: the checkpoint, because the file does not have the event 2.',
  );
  expect(check(page(), withKey())).toContain('The signer has attested no event of the feed yet.');
});

test('a checkpoint from another signer, for another feed or for a rewritten history is refused', async () => {
  const signed = await attested(third);
  const withCheckpoint = (checkpoint: object) => page({ head: { ...headOf(third), checkpoint } });
  const other = /No signer with this key made the checkpoint/;
  expect(await refusal(() => check(withCheckpoint(signed), { signerKey: '1'.repeat(64) }))).toMatch(other);
  const altered = { ...signed, statement: signed.statement.replace(third.hash, second.hash) };
  expect(await refusal(() => check(withCheckpoint(altered), withKey()))).toMatch(other);
  const foreign = await attested(third, 'or-00000-00000-0000000000000009');
  expect(await refusal(() => check(withCheckpoint(foreign), withKey()))).toContain('of another organisation');
  const said = { ...readCheckpoint('feed', signed.statement), hash: second.hash };
  const statement = JSON.stringify(said);
  const past = { sequence: 3, statement, signature: signer.attestor.sign(checkpointBytes('feed', statement)) };
  expect(await refusal(() => check(withCheckpoint(past), withKey()))).toContain('ANOTHER feed up to the event 3');
  const unknown = JSON.stringify({ ...said, v: 2 });
  const next = { sequence: 3, statement: unknown, signature: signer.attestor.sign(checkpointBytes('feed', unknown)) };
  expect(await refusal(() => check(withCheckpoint(next), withKey()))).toContain('a form that this program does not know');
});

test.each<[string, () => object, string]>([
  [
    'an altered event',
    () => ({ items: [first, { ...second, event: { ...second.event, version: 3 } }, third] }),
    'The event 2 is not',
  ],
  ['a missing event', () => ({ items: [first, third] }), 'The event 2 is missing'],
  ['a broken chain', () => ({ items: [first, { ...second, hash: first.hash }, third] }), 'The event 2 does not continue'],
  ['an end beyond the head', () => ({ head: headOf(second) }), 'do not lead to the head'],
  ['a different head', () => ({ head: { ...headOf(third), hash: second.hash } }), 'do not lead to the head'],
  ['unknown members', () => ({ more: 1 }), 'does not hold an answer of GET /events'],
])('%s is refused', async (_what, more, message) => {
  expect(await refusal(() => check(page(more())))).toContain(message);
});

test('a malformed cursor, a malformed key, and a checkpoint without the signer’s key are usage errors', async () => {
  const checkpoint = written('early.json', await attested(third));
  for (const more of [{ after: '1' }, { signerKey: 'x' }, { checkpoint }]) expect(() => check(page(), more)).toThrow(WrongUsage);
});
