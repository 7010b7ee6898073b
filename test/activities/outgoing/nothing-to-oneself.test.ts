import { privateKeyToAccount } from 'viem/accounts';
import { createJudgementActivities } from '../../../activities/outgoing/judge';
import { nothingToOneself } from '../../../application/outgoing/request-replacement';
import { evmCodecOf, utxoCodecOf } from '../../../chains/codecs';
import { solanaDecoderOf } from '../../../chains/decoders';
import type { TransactionInput } from '../../../chains/evm/types';
import type { Rule } from '../../../domain/policies';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import vectors from '../../chains/solana/vectors.json';
import { payee, psbtFor } from '../../chains/utxo/psbts';
import { APPROVING } from '../../support/approving';
import { ANY_CAUSE } from '../../support/causes';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertPolicy } from '../../support/held-activity';
import { BLOCK, RECIPIENT } from '../../support/policies';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';

const PUBLIC_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const BITCOIN = 'BitcoinSignet';
const HOME = utxoCodecOf(BITCOIN).addressOf(PUBLIC_KEY);
const DURABLE = vectors.transactions['durable nonce'].messageHex;
const NONCE = '09'.repeat(32);
/** The same message without the transfer, which is its last instruction. */
const ADVANCE = DURABLE.replace(`${NONCE}04`, `${NONCE}03`).replace('030200020c02000000002f68590000000000', '00');

const RULES: readonly Rule[] = [
  { kind: 'TransactionAmountLimit', configuration: { limit: 1, currency: 'USD' } },
  { kind: 'TransactionAmountVelocity', configuration: { limit: 1, currency: 'USD', timeframe: 43_200 } },
  { kind: 'TransactionRecipientWhitelist', configuration: { addresses: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'] } },
];

let database: TestDatabase;
let steps: TransferSteps;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
});

type Row = Partial<OutgoingEntity>;
/** The columns that a cancellation sets in its row, for each family. */
const cancel = (network: OutgoingEntity['network'], fromAddress: string, set: Row = {}): Row => ({
  ...{ form: 'Transaction', network, fromAddress, assetDecimals: null },
  ...nothingToOneself({ fromAddress }),
  ...set,
});
const raw = (input: TransactionInput): Row => {
  const codec = evmCodecOf('EthereumSepolia');
  const terms = codec.termsOf({ to: steps.address, ...input }, steps.address, 'body');
  const { asset, recipient, amountUnits } = codec.effectOf(terms.call);
  const decimals = asset.kind === 'Native' ? 18 : null;
  const effect = { assetKind: asset.kind, toAddress: recipient, amountUnits: amountUnits.toString(), assetDecimals: decimals };
  return { form: 'Transaction', terms, ...effect };
};
const psbt = (pay: readonly (readonly [string, bigint])[]): Row => {
  const psbtHex = psbtFor(BITCOIN, PUBLIC_KEY, { pay });
  const paid = { toAddress: pay[0]?.[0] ?? HOME, amountUnits: (pay[0]?.[1] ?? 0n).toString() };
  return { network: BITCOIN, fromAddress: HOME, terms: { family: 'utxo', call: { psbtHex } }, assetDecimals: 8, ...paid };
};
const message = (messageHex: string): Row => {
  const { asset, recipient, amountUnits } = solanaDecoderOf('SolanaDevnet').effectOf(messageHex);
  const effect = { assetKind: asset.kind as 'Native' | 'Call', toAddress: recipient, amountUnits: amountUnits.toString() };
  const terms = { family: 'solana', call: { messageHex }, blockhash: null } as const;
  return { network: 'SolanaDevnet', fromAddress: vectors.sender, terms, ...effect, assetDecimals: 9 };
};

/** The outcome under each rule on its own, while no price is known. */
async function outcomes(row: () => Row | Promise<Row>): Promise<string[]> {
  const judged: string[] = [];
  for (const rule of RULES) {
    steps = await createTransferSteps(database.db, await database.createOrganization());
    await insertPolicy(database.db, steps.orgId, { rule, action: BLOCK });
    const transferId = await steps.transfer({ state: 'Requested', policyEpoch: null, ...(await row()) });
    const { evaluateTransfer } = createJudgementActivities({
      ...APPROVING,
      causes: ANY_CAUSE,
      db: database.db,
      prices: { priceOf: async () => undefined },
    });
    judged.push((await evaluateTransfer({ orgId: steps.orgId, transferId })).outcome);
  }
  return judged;
}

test.each<[string, () => Row]>([
  ['a cancellation on an EVM network', () => cancel('EthereumSepolia', steps.address)],
  ['a transfer that fills a nonce gap', () => cancel('EthereumSepolia', steps.address, { askedNonce: 3 })],
  ['a cancellation with a fee in a token', () => cancel('Celo', steps.address, { options: { feeCurrency: RECIPIENT } })],
  ['a cancellation on Bitcoin', () => cancel(BITCOIN, HOME)],
  ['a transfer of zero on Litecoin, such as a child that pays for its parent', () => cancel('LitecoinTestnet', HOME)],
  ['a cancellation on Solana', () => cancel('SolanaDevnet', vectors.sender)],
  ['a raw EVM transaction that sends zero to its sender', () => raw({})],
  ['a raw PSBT that pays everything back to the wallet', () => psbt([])],
  ['a raw message that only advances its nonce', () => message(ADVANCE)],
])('%s is worth nothing and has no recipient, with or without prices', async (_what, row) => {
  expect(await outcomes(row)).toEqual(['Cleared', 'Cleared', 'Cleared']);
});

async function withCode(): Promise<Row> {
  const [chainId, nonce, address] = [11_155_111, 0, RECIPIENT] as const;
  const { r, s, yParity } = await privateKeyToAccount(`0x${'03'.repeat(32)}`).signAuthorization({ chainId, nonce, address });
  return raw({ type: 4, authorizationList: [{ chainId, nonce, address, r, s, yParity: yParity ?? 0 }] });
}

test.each<[string, () => Row | Promise<Row>]>([
  ['a transfer of value to the sender', () => raw({ value: 1 })],
  ['a call from the wallet to itself', () => raw({ data: '0xc0ffee' })],
  ['an authorisation of code for the address of the wallet', withCode],
  ['a PSBT with an output to another party', () => psbt([[payee(BITCOIN), 1_000n]])],
  ['a message that advances its nonce and pays', () => message(DURABLE)],
])('%s is of unknown value and has a recipient', async (_what, row) => {
  expect(await outcomes(row)).toEqual(['Ended', 'Ended', 'Ended']);
});

test('a transaction that sends zero to another address is worth nothing and has a recipient', async () => {
  expect(await outcomes(() => raw({ to: RECIPIENT }))).toEqual(['Cleared', 'Cleared', 'Ended']);
});

test('a cancellation does not make the sum of a velocity window unknown', async () => {
  await insertPolicy(database.db, steps.orgId, {
    rule: { kind: 'TransactionAmountVelocity', configuration: { limit: 3_000, currency: 'USD', timeframe: 43_200 } },
    action: BLOCK,
  });
  const judged = async (row: Row) =>
    (await steps.evaluate(await steps.transfer({ state: 'Requested', policyEpoch: null, ...row }))).outcome;
  expect(await judged(cancel('EthereumSepolia', steps.address))).toBe('Cleared');
  expect([await judged({}), await judged({})]).toEqual(['Cleared', 'Ended']);
});
