import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWN_WAYS } from '../../../../chains/evm/networks/with-own-transactions';
import { ReceiptReply, TransactionReply } from '../../../../chains/evm/scan/block-schemas';
import { blockSignaturesIn } from '../../../../chains/evm/scan/block-signatures';
import { rawOf } from '../../../../chains/evm/scan/transaction-bytes';
import type { ChainSignature } from '../../../../chains/types';
import type { ChainMovement } from '../../../../domain/movements';
import { blockMovements, blockSignatures } from '../../../support/block-contents';
import { scanned } from './scripted-node';

type Log = { readonly address: string; readonly topics: string[]; data: string };
type Block = {
  readonly raw: string;
  readonly block: { readonly number: string; readonly hash: string; readonly transactions: Record<string, unknown>[] };
  readonly receipts: { status: string; effectiveGasPrice: string; logs: Log[] }[];
};
type Form = { readonly raw: string; readonly told: Record<string, unknown> };
type Vectors = { readonly blocks: Readonly<Record<string, Block>>; readonly forms: Readonly<Record<string, Form>> };

const vectors = JSON.parse(readFileSync(join(__dirname, 'tempo-vectors.json'), 'utf8')) as Vectors;
const blockOf = (name: string): Block => structuredClone(vectors.blocks[name] as Block);
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const SPONSOR = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const ACCESS_KEY = '0xe1fAE9b4fAB2F5726677ECfA912d96b0B683e6a9';
const PASSKEY = '0x753760Da489Ab353F18A0E379309545716fD79Cb';
const COLLECTOR = '0xfeEC000000000000000000000000000000000000';
const PATH_USD = '0x20C0000000000000000000000000000000000000';
const DOLLAR_UNITS_TO_FEE_UNITS = 10n ** 12n;

const everyone = () => true;
const onlyOf = (address: string) => (plain: string) => plain === address.toLowerCase();
const shown = ({ address, direction, kind, amountUnits, feeUnits }: ChainMovement) => ({
  ...{ address, direction, kind, amountUnits },
  ...(feeUnits === undefined ? {} : { feeUnits }),
});
const genuine = (found: readonly ChainSignature[]) =>
  Promise.all(found.map(async ({ address, isGenuine }) => [address, await isGenuine()]));
const lastAmount = ({ receipts }: Block): bigint => BigInt(receipts[0]?.logs.at(-1)?.data ?? '0x0');

test('each payment of a batch is a movement, and the fee is a movement of the fee token with the amount zero', async () => {
  const told = blockOf('batch');
  const block = await scanned(OWN_WAYS.Tempo, told);
  expect(block).toMatchObject({ proof: 'Root', sight: 'Logs', hash: told.block.hash });
  const found = await blockMovements(block, onlyOf(ALICE));
  expect(found.map(shown)).toEqual([
    ...[5n, 100_000_000n, 100_000_000n].map((amountUnits) => ({
      ...{ address: ALICE, direction: 'Out', kind: 'Erc20Transfer', amountUnits },
    })),
    {
      ...{ address: ALICE, direction: 'Out', kind: 'Erc20Transfer', amountUnits: 0n },
      feeUnits: lastAmount(told) * DOLLAR_UNITS_TO_FEE_UNITS,
    },
  ]);
  expect(found.at(-1)).toMatchObject({ contract: PATH_USD, to: COLLECTOR, ordinal: 'log:3' });
  expect(found.at(-1)).not.toHaveProperty('isReverted');
  expect((await blockMovements(block, onlyOf(BOB))).map(shown)).toEqual([
    { address: BOB, direction: 'In', kind: 'Erc20Transfer', amountUnits: 5n },
  ]);
  // A fee is not a payment to the account that collects fees, because this account only keeps the fees for the validators.
  expect(await blockMovements(block, onlyOf(COLLECTOR))).toEqual([]);
});

test('the payments of an account and its fee add up to the amounts in the logs', async () => {
  const told = blockOf('batch');
  const found = await blockMovements(await scanned(OWN_WAYS.Tempo, told), onlyOf(ALICE));
  const paid = found.reduce(
    (sum, { amountUnits = 0n, feeUnits = 0n }) => sum + amountUnits + feeUnits / DOLLAR_UNITS_TO_FEE_UNITS,
    0n,
  );
  expect(paid).toBe((told.receipts[0]?.logs ?? []).reduce((sum, { data }) => sum + BigInt(data), 0n));
});

test('the fee of a sponsored transaction is a movement of the sponsor, and the sender pays only the amount', async () => {
  const told = blockOf('sponsored');
  const block = await scanned(OWN_WAYS.Tempo, told);
  const feeUnits = lastAmount(told) * DOLLAR_UNITS_TO_FEE_UNITS;
  expect((await blockMovements(block, onlyOf(SPONSOR))).map(shown)).toEqual([
    { address: SPONSOR, direction: 'Out', kind: 'Erc20Transfer', amountUnits: 0n, feeUnits },
  ]);
  expect((await blockMovements(block, onlyOf(ALICE))).map(shown)).toEqual([
    { address: ALICE, direction: 'Out', kind: 'Erc20Transfer', amountUnits: 6n },
  ]);
});

test('a transaction that failed moves only its fee', async () => {
  const told = blockOf('reverted');
  const found = await blockMovements(await scanned(OWN_WAYS.Tempo, told), everyone);
  expect(found).toEqual([
    expect.objectContaining({
      ...{ address: ALICE, amountUnits: 0n, isReverted: true, feeUnits: lastAmount(told) * DOLLAR_UNITS_TO_FEE_UNITS },
    }),
  ]);
});

test('without a price there is no fee, and a payment to the account that collects fees is reported as a payment', async () => {
  const told = blockOf('plain');
  for (const receipt of told.receipts) receipt.effectiveGasPrice = '0x0';
  const found = await blockMovements(await scanned(OWN_WAYS.Tempo, told), onlyOf(ALICE));
  expect(found.at(-1)).toMatchObject({ to: COLLECTOR, amountUnits: lastAmount(told) });
  expect(found.at(-1)).not.toHaveProperty('feeUnits');
});

test.each(Object.keys(vectors.blocks))('the block "%s" is proved by its roots, and an altered block is not', async (name) => {
  expect(await scanned(OWN_WAYS.Tempo, blockOf(name))).toMatchObject({ proof: 'Root' });
  const [other] = [blockOf(name)].map((told) => {
    for (const tx of told.block.transactions) tx['nonce'] = '0x7f';
    return told;
  }) as [Block];
  expect(await scanned(OWN_WAYS.Tempo, other)).toMatchObject({ proof: 'OneNode' });
  expect(await scanned(OWN_WAYS.Tempo, other, other)).toMatchObject({ proof: 'TwoNodes' });
  expect(await scanned(OWN_WAYS.Tempo, other, blockOf(name))).toMatchObject({ proof: 'Root' });
  const silent = { ...other, receipts: other.receipts.map((receipt) => ({ ...receipt, logs: [] })) };
  await expect(scanned(OWN_WAYS.Tempo, other, silent)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
});

test('the signature of the sender and that of the sponsor are genuine', async () => {
  const block = await scanned(OWN_WAYS.Tempo, blockOf('sponsored'));
  expect(await genuine(await blockSignatures(block, everyone))).toEqual([
    [ALICE, true],
    [SPONSOR, true],
  ]);
  expect(await genuine(await blockSignatures(block, onlyOf(SPONSOR)))).toEqual([[SPONSOR, true]]);
});

test.each(['p256', 'webAuthn'])('a signature of the kind %s is not attributed to any wallet key', async (name) => {
  expect(await blockSignatures(await scanned(OWN_WAYS.Tempo, blockOf(name)), everyone)).toEqual([]);
});

test('a block in which the node changed the sender is refused for a wallet, because this sender did not sign', async () => {
  const told = blockOf('plain');
  for (const tx of told.block.transactions) tx['from'] = BOB.toLowerCase();
  expect(await genuine(await blockSignatures(await scanned(OWN_WAYS.Tempo, told), everyone))).toEqual([[BOB, false]]);
  const passkey = blockOf('p256');
  for (const tx of passkey.block.transactions) tx['from'] = BOB.toLowerCase();
  expect(await blockSignatures(await scanned(OWN_WAYS.Tempo, passkey), onlyOf(PASSKEY))).toEqual([]);
});

const SIGNERS: Readonly<Record<string, readonly string[]>> = {
  'key authorization': [ACCESS_KEY, ALICE],
  'key authorization of an administrator': [ALICE, ALICE],
  'access key': [ACCESS_KEY],
  'sponsored access key': [ACCESS_KEY, SPONSOR],
  'code authorization': [ALICE, SPONSOR],
};
/** The last log of the receipt, which shows the account that paid the fee. */
const FEE_LOG = {
  ...{ address: PATH_USD, data: `0x${'0'.repeat(63)}1`, logIndex: '0x0' },
  topics: [SPONSOR, SPONSOR, COLLECTOR].map((one) => `0x${one.slice(2).toLowerCase().padStart(64, '0')}`),
};
const RECEIPT = ReceiptReply.parse({
  ...{ transactionHash: `0x${'1'.repeat(64)}`, blockHash: `0x${'1'.repeat(64)}`, status: '0x1', logsBloom: '0x' },
  ...{ cumulativeGasUsed: '0x1', gasUsed: '0x1', logs: [FEE_LOG] },
});

test.each(Object.entries(vectors.forms))(
  'a transaction of the form "%s" has the expected bytes and signing keys',
  async (name, { raw, told }) => {
    const tx = TransactionReply.parse(told);
    expect(rawOf(tx)).toBe(raw);
    const signaturesIn = (one: TransactionReply, isWatched = everyone as (address: string) => boolean) =>
      blockSignaturesIn({ block: { transactions: [one] } as never, receipts: [RECEIPT] }, isWatched);
    expect(await genuine(signaturesIn(tx))).toEqual(SIGNERS[name]?.map((address) => [address, true]));
    for (const address of SIGNERS[name] ?? [])
      expect((await genuine(signaturesIn(tx, onlyOf(address)))).length).toBeGreaterThan(0);
    expect(signaturesIn(tx, onlyOf(BOB))).toEqual([]);
    const other = TransactionReply.parse({ ...told, nonce: '0x7f' });
    expect(rawOf(other)).not.toBe(raw);
  },
);

test('an authorised key with an unknown member has an unknown format, and is not reported as a wrong signature', () => {
  const { told } = vectors.forms['key authorization'] as Form;
  const tx = TransactionReply.parse({ ...told, keyAuthorization: { ...(told['keyAuthorization'] as object), another: '0x1' } });
  expect(rawOf(tx)).toBeUndefined();
  expect(blockSignaturesIn({ block: { transactions: [tx] } as never, receipts: [RECEIPT] }, everyone)).toEqual([]);
});
