import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak256 } from 'viem/utils';
import { evmEffect } from '../../red-team/effects';
import { evmCodec, feesOf } from '../../red-team/orders';
import { createVerdicts } from '../../red-team/service/verdicts';
import { openWatch } from '../../red-team/service/watch';

const SECRET = new Uint8Array(32).fill(1);
const FROM = evmCodec.addressOf(Buffer.from(secp256k1.getPublicKey(SECRET)).toString('hex')).toLowerCase();
const TO = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const ASKED = evmEffect(FROM, TO, 1_000n, '0x');
const ORG = 'or-ours';
const wallet = (id: string, address = `0x${id.padStart(40, '0')}`) => ({ id, address, keyId: `key-${id}` });
const company = {
  orgId: ORG,
  freezeId: 'frz-ours',
  wallets: { free: wallet('1', FROM), limited: wallet('2'), paced: wallet('3'), spare: wallet('4') },
};

type Paid = { readonly amountUnits?: bigint; readonly nonce?: number; readonly orgId?: string };

/** The signed bytes, and the journal entry of the signature over them. */
function signed({ amountUnits = 1_000n, nonce = 4, orgId = ORG }: Paid = {}) {
  const intent = { network: 'EthereumSepolia', from: FROM, to: TO, amountUnits, asset: { kind: 'Native' } } as const;
  const bytesHex = evmCodec.build(intent, nonce, feesOf(1n)).bytesHex as `0x${string}`;
  const digestHex = keccak256(bytesHex);
  const digest = Buffer.from(digestHex.slice(2), 'hex');
  const [recoveryId = 0, ...compact] = secp256k1.sign(digest, SECRET, { prehash: false, format: 'recovered' });
  const hex = Buffer.from(compact).toString('hex');
  const signatures = [{ r: `0x${hex.slice(0, 64)}`, s: `0x${hex.slice(64)}`, recoveryId }];
  const entry = { kind: 'Signed', signed: { orgId, requestId: 'xfr' }, result: { digestHex, signatures } };
  return { bytesHex, entry };
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A watch over an empty journal, with these rows in the database and these transactions in the next block. */
async function watching(rows: readonly string[] | Error = [], transactions: readonly object[] = []) {
  const stateDir = mkdtempSync(join(tmpdir(), 'watch-'));
  folders.push(stateDir);
  const journal = join(stateDir, 'journal-000001.jsonl');
  writeFileSync(journal, `${'0'.repeat(64)} {"kind":"CharterAdopted","orgId":"${ORG}"}\n`);
  let height = 0;
  const rig = {
    rpc: async (method: string) => (method === 'eth_blockNumber' ? `0x${height}` : { transactions }),
    sql: async () => {
      if (rows instanceof Error) throw rows;
      return rows.map((unsigned_hex) => ({ unsigned_hex }));
    },
  };
  const verdicts = createVerdicts(company as never);
  verdicts.permit(ASKED);
  verdicts.permitTag('agreed');
  const watch = await openWatch({ service: { rig, stateDir } as never, company: company as never, verdicts });
  return {
    look: async () => (await watch.look()).gains,
    isWhole: async () => (await watch.look()).isWhole,
    mine: () => {
      height += 1;
    },
    write: (text: string) => appendFileSync(journal, text),
    record: (entry: object) => appendFileSync(journal, `+ {"attached":1}\n${'0'.repeat(64)} ${JSON.stringify(entry)}\n`),
  };
}

test('a requested signature is not a gain, and neither is a signature for another organisation', async () => {
  const { bytesHex, entry } = signed();
  const { record, look } = await watching([bytesHex]);
  record(entry);
  record(signed({ amountUnits: 1n, orgId: 'or-other' }).entry);
  expect(await look()).toEqual([]);
});

test('an unrequested signature is a gain, and so is a second signature that can take effect too', async () => {
  const [first, other, again] = [signed(), signed({ amountUnits: 1_001n }), signed({ nonce: 5 })];
  const { record, look } = await watching([first, other, again].map(({ bytesHex }) => bytesHex));
  for (const { entry } of [first, other, again]) record(entry);
  expect(await look()).toEqual([
    expect.stringMatching(/^no person asked for evm:.*:1001:0x$/),
    expect.stringMatching(/^signed twice/),
  ]);
});

test('an entry about a key store is a gain, because no person signs one during the attack', async () => {
  const { record, look } = await watching();
  record({ kind: 'KeyStoreChanged', orgId: 'or-other' });
  expect(await look()).toEqual([]);
  record({ kind: 'KeyStoreChanged', orgId: ORG });
  expect(await look()).toEqual([expect.stringMatching(/^an entry was accepted: /)]);
});

test('a signature whose bytes are in no row is a gain, once the worker has had time to write them', async () => {
  jest.useFakeTimers();
  try {
    const { record, look } = await watching();
    record(signed().entry);
    expect(await look()).toEqual([]);
    jest.advanceTimersByTime(10_001);
    expect(await look()).toEqual([expect.stringMatching(/^no person asked for digest:/)]);
  } finally {
    jest.useRealTimers();
  }
});

test('if the database does not reply, the check is reported as incomplete, so that no signature is missed', async () => {
  const { record, look, isWhole } = await watching(new Error('busy'));
  expect(await isWhole()).toBe(true);
  record(signed().entry);
  expect(await look()).toEqual([]);
  expect(await isWhole()).toBe(false);
});

test('a line that is not complete yet is judged once it is complete', async () => {
  const { bytesHex, entry } = signed({ amountUnits: 7n });
  const { write, look } = await watching([bytesHex]);
  const line = `${'0'.repeat(64)} ${JSON.stringify(entry)}\n`;
  write(line.slice(0, 100));
  expect(await look()).toEqual([]);
  write(line.slice(100));
  expect(await look()).toEqual([expect.stringContaining('no person asked for')]);
});

const tagged = (id: string, tags: readonly string[], amendment = 'tagWallet') => ({
  ...{ kind: 'CharterAmended', orgId: ORG, amendment },
  changes: [{ section: 'wallets', id, value: { tags } }],
});

test.each<[string, object]>([
  ['an exported key', { kind: 'KeyExported', exported: { orgId: ORG } }],
  ['a released freeze', { kind: 'FreezeReleased', orgId: ORG, freezeId: 'frz-ours' }],
  ['a charter by the operator', { kind: 'CharterAdopted', orgId: ORG }],
  ['a restriction', { kind: 'CharterRestricted', orgId: ORG }],
  ['a tag that no person set', tagged('4', ['agreed', 'mine'])],
  ['a tag on another wallet', tagged('1', ['agreed'])],
  ['a different change of the charter', tagged('4', ['agreed'], 'createWallet')],
])('%s is a gain', async (_what, entry) => {
  const { record, look } = await watching();
  record(entry);
  expect(await look()).toHaveLength(1);
});

test('changes that people made to their charter, and entries of other organisations, are not a gain', async () => {
  const { record, look } = await watching();
  record(tagged('4', ['agreed']));
  record({ kind: 'CharterRestricted', orgId: 'or-other' });
  record({ kind: 'KeyExported', exported: { orgId: 'or-other' } });
  expect(await look()).toEqual([]);
});

test('people must have requested each transaction in a block, and no transaction may be in two blocks', async () => {
  const tx = { from: FROM, to: TO, value: '0x3e8', input: '0x' };
  const { mine, look } = await watching([], [tx]);
  mine();
  expect(await look()).toEqual([]);
  mine();
  expect(await look()).toEqual([expect.stringMatching(/^in two blocks/)]);
  const other = await watching([], [{ ...tx, value: '0x3e9' }]);
  other.mine();
  expect(await other.look()).toEqual([expect.stringMatching(/^a block contains a transaction that no person asked for/)]);
});
