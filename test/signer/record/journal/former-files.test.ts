import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyMaker } from '../../../../signer/keys/key-maker';
import { createKeyLog } from '../../../../signer/record/key-log';
import { createKeyStores } from '../../../../signer/record/key-stores';
import { readSignatures } from '../../../../signer/record/read-signatures';
import { kekOf, keyOrder, NOW_MS, ORG, openJournal, openOperations, orderFor, refusedAs, temporaryFolder } from '../../fixtures';

/** The lines of a file of an older release: a SHA-256 chain that begins with zeros. */
function former(entries: readonly unknown[]): string {
  let last = '0'.repeat(64);
  return entries
    .map((entry) => {
      const json = JSON.stringify(entry);
      last = createHash('sha256').update(`${last}\n${json}`).digest('hex');
      return `${last} ${json}\n`;
    })
    .join('');
}

const at = new Date(NOW_MS).toISOString();
const digest = (digit: string) => digit.repeat(64);
const result = { digestHex: `0x${digest('4')}`, signatures: [{ r: `0x${digest('2')}`, s: `0x${digest('3')}`, recoveryId: 1 }] };
const evidence = [{ kind: 'Approval', approvalId: 'ap-1', digest: 'ab'.repeat(32), committed: '{}' }];
const signed = { requestId: 'xfr-1', orgId: ORG, keyId: 'key-1', intentDigest: digest('1'), payloadDigest: digest('a') };

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());
const path = (name: string) => join(folder.path, name);

/** A key as the older release recorded it. */
async function aKey() {
  const elsewhere = temporaryFolder();
  const journal = await openJournal(elsewhere.path);
  const created = await createKeyMaker({ kek: kekOf(7), keyLog: createKeyLog(journal), stores: createKeyStores(journal) })(
    keyOrder('key-1'),
    async () => Buffer.alloc(32, 0x21),
  );
  await journal.close();
  elsewhere.remove();
  return created;
}

async function writeFormer() {
  const created = await aKey();
  writeFileSync(path('keys.jsonl'), former([{ at, created }]));
  const heading = { shortened: { after: digest('f'), at } };
  const oldest = {
    at,
    signed: { ...signed, requestId: 'xfr-0' },
    result: { digestHex: result.digestHex, signature: result.signatures[0] },
  };
  const entry = { at, signed: { ...signed, claim: `EthereumSepolia 0xabc 1` }, result, evidence, policyEpoch: 3 };
  writeFileSync(
    path('signatures.jsonl'),
    former([heading, oldest, entry, { at, withdrawn: 'xfr-2', orgId: ORG }, { at, withdrawn: 'xfr-3' }]),
  );
  const target = { kind: 'Key', keyId: 'key-1' };
  writeFileSync(path('freezes.jsonl'), former([{ at, orgId: ORG, freezeId: 'frz-1', set: target, evidence: [] }]));
  return created;
}
const requestsRead = async () => {
  const requests: string[] = [];
  await readSignatures(folder.path, ({ requestId }) => requests.push(requestId));
  return requests;
};

test('keys, signatures, withdrawals and freezes from files of an older release are known, with their evidence', async () => {
  const created = await writeFormer();
  expect(await requestsRead()).toEqual(['xfr-0', 'xfr-1']);
  for (const _start of [1, 2]) {
    const signer = await openOperations(folder.path);
    expect(signer.keyLog.find('key-1')).toEqual(created);
    expect(signer.log.size).toBe(2);
    expect(signer.log.find(signed)).toEqual(result);
    expect(signer.log.find({ ...signed, requestId: 'xfr-0' })).toEqual(result);
    const again = { ...signed, requestId: 'xfr-9', payloadDigest: digest('b'), claim: 'EthereumSepolia 0xabc 1' };
    expect(() => signer.log.find(again)).toThrow(refusedAs('NonceSignedAlready'));
    for (const requestId of ['xfr-2', 'xfr-3'])
      expect(() => signer.log.find({ ...signed, requestId })).toThrow(refusedAs('RequestWithdrawn'));
    await expect(signer.signTransfer(orderFor(created, 'xfr-8'))).rejects.toEqual(refusedAs('Frozen'));
    await signer.close();
  }
  expect(readFileSync(path('journal-000001.jsonl'), 'utf8')).toContain(`+ ${JSON.stringify(evidence)}\n`);
  expect(await requestsRead()).toEqual(['xfr-0', 'xfr-1']);
});

test('a folder without any log is refused, and not read as a log without signatures', async () => {
  await expect(requestsRead()).rejects.toThrow(/has no journal of a signer/);
});

test('the older release refuses files that were moved, because it cannot see later signatures', async () => {
  await writeFormer();
  await rm(path('freezes.jsonl'));
  await (await openJournal(folder.path)).close();
  for (const name of ['keys.jsonl', 'signatures.jsonl', 'freezes.jsonl']) {
    const lines = readFileSync(path(name), 'utf8').trimEnd().split('\n');
    const [last = '', before = '0'.repeat(64)] = lines.reverse();
    const json = '{"movedTo":"journal-000001.jsonl"}';
    expect(last).toBe(
      `${createHash('sha256')
        .update(`${before.slice(0, 64)}\n${json}`)
        .digest('hex')} ${json}`,
    );
  }
});

test('a move that a crash interrupted is repeated, also from files with a torn line', async () => {
  const created = await writeFormer();
  writeFileSync(path('keys.jsonl'), `${readFileSync(path('keys.jsonl'), 'utf8')}f00d`);
  await (await openJournal(folder.path)).close();
  const marked = readFileSync(path('keys.jsonl'), 'utf8');
  expect(marked).not.toContain('f00d');
  for (const name of readdirSync(folder.path))
    if (/^(journal-000001|index-|moved)/.test(name)) await rm(path(name), { recursive: true });
  const journal = await openJournal(folder.path);
  expect(createKeyLog(journal).find('key-1')).toEqual(created);
  await journal.close();
  expect(readFileSync(path('keys.jsonl'), 'utf8')).toBe(marked);
});

test('after a finished move the old files do not replace a lost journal', async () => {
  await writeFormer();
  await (await openJournal(folder.path)).close();
  for (const name of readdirSync(folder.path))
    if (/^(journal-000001|index-)/.test(name)) await rm(path(name), { recursive: true });
  await expect(openJournal(folder.path)).rejects.toThrow(/the journal of .* is missing/);
});

test('a move that a crash interrupted before its last step is completed at the next start', async () => {
  await writeFormer();
  await (await openJournal(folder.path)).close();
  await rm(path('moved'));
  await (await openJournal(folder.path)).close();
  expect(existsSync(path('moved'))).toBe(true);
});

test('a late write by an older release, into a file that this release still has open, is ignored', async () => {
  await writeFormer();
  const late = openSync(path('signatures.jsonl'), 'a');
  await (await openJournal(folder.path)).close();
  writeSync(late, `${digest('0')} {"at":"late"}\n`);
  closeSync(late);
  await (await openJournal(folder.path)).close();
  expect(readFileSync(path('signatures.jsonl'), 'utf8')).not.toContain('late');
});

test.each([
  ['an altered line', (text: string) => text.replace('xfr-2', 'xfr-7'), /signatures\.jsonl was altered or damaged at line 4/],
  [
    'an entry of an unknown release',
    () => former([{ at, levitated: true }]),
    /signatures\.jsonl holds an entry that this version/,
  ],
])('%s is refused, and no journal is created', async (_what, alter, reason) => {
  await writeFormer();
  writeFileSync(path('signatures.jsonl'), alter(readFileSync(path('signatures.jsonl'), 'utf8')));
  await expect(openJournal(folder.path)).rejects.toThrow(reason);
  expect(existsSync(path('journal-000001.jsonl'))).toBe(false);
});
