import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditItem, auditDigest, CHAIN_START, chainCursor, followAudit, linksAfter } from '../../platform/hash-chain';
import { checkChain } from '../../verify/hash-chain';
import { WrongUsage } from '../../verify/not-verified';
import { openOperations, temporaryFolder } from '../signer/fixtures';
import known from '../vectors/audit.json';
import { refusal } from './office';

/** Computed by docs/examples/audit.py, which does not share code with the service. */
const vectors: { readonly organizationId: string; readonly items: readonly AuditItem[] } = known;
const { organizationId: organization, items } = vectors;
const at = (sequence: number) => items[sequence - 1] as AuditItem;

let folder: ReturnType<typeof temporaryFolder>;
let state: ReturnType<typeof temporaryFolder>;
let signer: Awaited<ReturnType<typeof openOperations>>;
beforeEach(async () => {
  folder = temporaryFolder();
  state = temporaryFolder();
  signer = await openOperations(state.path);
});
afterEach(async () => {
  await signer.close();
  folder.remove();
  state.remove();
});

type Position = Pick<AuditItem, 'sequence' | 'hash'>;
const signed = ({ sequence, hash }: Position, orgId = organization) => signer.attestAuditLog({ orgId, sequence, hash });

function written(name: string, text: string): string {
  const file = join(folder.path, name);
  writeFileSync(file, text);
  return file;
}
const page = (shown: readonly AuditItem[], head: Position = shown.at(-1) ?? CHAIN_START, checkpoint?: object) =>
  written(
    'audit-log.json',
    JSON.stringify({
      items: shown,
      nextCursor: chainCursor(shown.at(-1) ?? CHAIN_START),
      head: { sequence: head.sequence, hash: head.hash, ...(checkpoint ? { checkpoint } : {}) },
    }),
  );
/** The file of a witness (an outside store of checkpoints) that contains these checkpoints, oldest first. */
async function witness(positions: readonly Position[], chain = 'audit') {
  const lines: string[] = [];
  for (const position of positions) lines.push(JSON.stringify({ chain, ...(await signed(position)) }));
  return written('witness.jsonl', lines.map((line) => `${line}\n`).join(''));
}
const check = (file: string, more: object = {}) =>
  checkChain('audit', { file, organization, signerKey: signer.attestor.publicKeyHex, ...more }).join('\n');
/** The log that an attacker with every right in the database builds. */
function rebuilt(contents: readonly AuditItem['entry'][]): AuditItem[] {
  const links = linksAfter('audit', organization, CHAIN_START, contents.map(auditDigest));
  return contents.flatMap((entry, n) => links.slice(n, n + 1).map((link) => ({ ...link, entry })));
}
const entries = items.map(({ entry }) => entry);
const edited = entries.map((entry, n) => (n === 1 ? { ...entry, data: { ...entry.data, userId: 'us-2' } } : entry));

test('digests and hashes are those of an independent program', () => {
  expect(rebuilt(entries)).toEqual(items);
  expect(followAudit(organization, CHAIN_START, items)).toEqual({ sequence: 5, hash: at(5).hash });
});

test('the whole log verifies with the checkpoint in the response and with the checkpoints of the witness', async () => {
  const checkpoint = { sequence: 5, ...(await signed(at(5))) };
  await signer.close();
  signer = await openOperations(state.path);
  const shown = check(page(items, at(5), checkpoint), { witness: await witness([at(2), at(4)]) });
  expect(shown).toContain('Entries       1 to 5');
  expect(shown).toContain('Checkpoint    5, signed ');
  expect(shown).toContain('Witness       2 checkpoints, 2 of them within this file');
  expect(shown).toMatch(/\nVERIFIED: these are all entries after the cursor, unaltered and in their order\.$/);
});

test('an edited entry is found without a checkpoint', async () => {
  const wrong = [at(1), { ...at(2), entry: edited[1] ?? at(2).entry }, at(3)];
  expect(await refusal(() => check(page(wrong)))).toContain('The entry 2 is not the entry whose digest the chain has');
});

test('a rebuilt chain verifies by itself, and each witnessed checkpoint after the edited entry shows the edit', async () => {
  const file = page(rebuilt(edited));
  expect(check(file)).toContain('VERIFIED');
  expect(await refusal(async () => check(file, { witness: await witness([at(1), at(4)]) }))).toContain(
    'REBUILT: the position 4 had another hash when the signer attested it',
  );
});

test('a log without its last entries verifies by itself, and a witnessed checkpoint of a missing entry shows the cut', async () => {
  const file = page(items.slice(0, 3));
  const to = await witness([at(2), at(3)]);
  expect(check(file, { witness: to })).toContain('VERIFIED');
  appendFileSync(to, `${JSON.stringify({ chain: 'audit', ...(await signed(at(4))) })}\n`);
  expect(await refusal(() => check(file, { witness: to }))).toContain('CUT: the signer attested the position 4');
});

test('replaced last entries are found', async () => {
  const other = rebuilt([...entries.slice(0, 3), { ...at(4).entry, id: 'au-other' }, at(5).entry]);
  expect(await refusal(async () => check(page(other), { witness: await witness([at(4)]) }))).toContain('REBUILT: the position 4');
});

test('a rebuilt head that contradicts the witness is found even on a page that ends before the head', async () => {
  const file = page(items.slice(0, 2), rebuilt(edited)[4]);
  expect(await refusal(async () => check(file, { witness: await witness([at(5)]) }))).toContain('REBUILT: the position 5');
});

test('a witness without a checkpoint within the file does not verify anything, and this is reported', async () => {
  const shown = check(page([at(2)], at(5)), { after: chainCursor(at(1)), witness: await witness([at(3)]) });
  expect(shown).toContain('Witness       1 checkpoints, 0 of them within this file');
  expect(shown).toContain('NOT VERIFIED: this file by the witness');
});

test('lines from the feed and from other organisations are ignored, and an incomplete line is reported', async () => {
  const to = await witness([at(2)]);
  const other = await signed(at(5), 'or-00000-00000-0000000000000009');
  appendFileSync(to, `${JSON.stringify({ chain: 'audit', ...other })}\n`);
  const feed = await signer.attestFeed({ orgId: organization, sequence: 9, hash: at(1).hash });
  appendFileSync(to, `${JSON.stringify({ chain: 'feed', ...feed })}\n{"chain":"audit","stat`);
  const shown = check(page(items), { witness: to });
  expect(shown).toContain('Witness       1 checkpoints, 1 of them within this file');
  expect(shown).toContain('NOT VERIFIED: 1 lines of the witness, which cannot be read.');
});

test('a checkpoint from another signer is refused, and so is a checkpoint of the feed', async () => {
  const to = await witness([at(4)]);
  const stranger = { signerKey: '1'.repeat(64), witness: to };
  expect(await refusal(() => check(page(items), stranger))).toContain('No signer with this key made the witnessed checkpoint 4');
  const feed = { sequence: 5, ...(await signer.attestFeed({ orgId: organization, sequence: 5, hash: at(5).hash })) };
  expect(await refusal(() => check(page(items, at(5), feed)))).toContain(
    'No signer with this key made the checkpoint of the audit log',
  );
});

test('a witness without the signer’s key is a usage error', async () => {
  const to = await witness([at(1)]);
  expect(() => check(page(items), { signerKey: undefined, witness: to })).toThrow(WrongUsage);
});
