import { evmDecoderOf } from '../../../chains/decoders';
import { digestOf } from '../../../platform/canonical';
import type { CreatedKey, SignSponsoredOrder } from '../../../signer/protocol';
import {
  codec,
  FEES,
  keyOrder,
  MAX_FEE_UNITS,
  NOW_MS,
  openOperations,
  orderFor,
  refusedAs,
  TO,
  TOKEN,
  temporaryFolder,
} from '../fixtures';

const folder = temporaryFolder();
let operations: Awaited<ReturnType<typeof openOperations>>;
let wallet: CreatedKey;
let payer: CreatedKey;
/** Each order uses its own nonces, because the signer signs a nonce only once. */
let nonce = 0;

beforeAll(async () => {
  operations = await openOperations(folder.path, () => NOW_MS);
  wallet = await operations.createKey(keyOrder('key-1'));
  payer = await operations.createKey(keyOrder('key-2'));
});
afterAll(async () => {
  await operations.close();
  folder.remove();
});

type Wanted = { readonly calls?: readonly { to: string; valueUnits: string; dataHex: string }[]; readonly sponsor?: string };

/** An honest order for the signatures of the wallet, including the delegation. `calls` and `sponsor` change only the bytes. */
function orderOf(requestId: string, { calls, sponsor: named }: Wanted = {}) {
  nonce += 1;
  const plain = orderFor(wallet, requestId, { nonce });
  const sponsor = codec.addressOf(payer.publicKeyHex);
  const operation = {
    sender: plain.intent.from,
    nonce: BigInt(nonce) << 64n,
    calls: calls ?? [{ to: TO, valueUnits: '1000', dataHex: '0x' }],
    verificationGas: 1n,
    callGas: 1n,
  };
  const { unsigned } = codec.buildSponsored({ operation, sponsor: named ?? sponsor, authorizationNonce: nonce }, nonce, FEES);
  const order: SignSponsoredOrder = { ...plain, bytesHex: unsigned.bytesHex, sponsor, part: 'Operation' };
  return { order, unsigned };
}
const ofPayer = ({ order }: ReturnType<typeof orderOf>, bytesHex: string): SignSponsoredOrder => ({
  ...order,
  ...{ keyId: payer.sealed.keyId, sealed: payer.sealed, dek: payer.dek, bytesHex, part: 'Transaction' },
});
const signed = async (requestId: string) => {
  const asked = orderOf(requestId);
  const { signatures } = await operations.signSponsored(asked.order);
  const complete = codec.completeSponsored(
    asked.unsigned,
    signatures.map(({ r, s, recoveryId = 0 }) => ({ r, s, recoveryId })),
  );
  return { asked, complete, signatures };
};

test('the wallet signs the operation and the authorization, and the sponsor signs the transaction that contains both', async () => {
  const { asked, complete, signatures } = await signed('xfr-a');
  expect(signatures).toHaveLength(2);
  const [signature] = (await operations.signSponsored(ofPayer(asked, complete.bytesHex))).signatures;
  const { r = '', s = '', recoveryId = 0 } = signature ?? {};
  expect(codec.attach(complete, { r, s, recoveryId }, asked.order.sponsor).rawHex).toMatch(/^0x04/);
  const lines = operations.log.size;
  expect((await operations.signSponsored(asked.order)).signatures).toEqual(signatures);
  expect(operations.log.size).toBe(lines);
});

test('the sponsor signs only what the wallet has signed and what specifies this sponsor', async () => {
  const asked = orderOf('xfr-b');
  await expect(operations.signSponsored(ofPayer(asked, asked.order.bytesHex))).rejects.toThrow(refusedAs('SenderMismatch'));
  await expect(operations.signSponsored(orderOf('xfr-c', { sponsor: TO }).order)).rejects.toThrow(refusedAs('SenderMismatch'));
});

const TRANSFER = `0xa9059cbb${TO.slice(2).toLowerCase().padStart(64, '0')}${'1'.padStart(64, '0')}`;
test.each([
  ['AmountMismatch', [{ to: TO, valueUnits: '1001', dataHex: '0x' }]],
  ['RecipientMismatch', [{ to: TOKEN, valueUnits: '1000', dataHex: '0x' }]],
  ['AssetMismatch', [{ to: TOKEN, valueUnits: '0', dataHex: TRANSFER }]],
  ['BytesNotUnderstood', [{ to: TO, valueUnits: '1000', dataHex: '0x095ea7b3' }]],
  ['BytesNotUnderstood', [1, 2].map(() => ({ to: TO, valueUnits: '1000', dataHex: '0x' }))],
])('%s: an operation that differs from the approved one', async (reason, calls) => {
  await expect(operations.signSponsored(orderOf('xfr-d', { calls }).order)).rejects.toThrow(refusedAs(reason));
});

test('AmountMismatch: an operation with a different ciphertext than approved, or with a ciphertext although none was approved', async () => {
  const asset = { kind: 'Erc7984', contract: TOKEN } as const;
  const encrypted = { handle: `0x${'ab'.repeat(21)}000000000000aa36a70500`, inputProof: '0x0101' };
  const call = codec.callOf({
    ...{ network: 'EthereumSepolia', from: codec.addressOf(wallet.publicKeyHex), to: TO, amountUnits: 1_000n },
    ...{ asset, encrypted },
  });
  const { order } = orderOf('xfr-hidden', { calls: [call] });
  const approved = { ...order, intent: { ...order.intent, asset } };
  for (const other of [undefined, { ...encrypted, inputProof: '0x0102' }])
    await expect(operations.signSponsored({ ...approved, encrypted: other })).rejects.toThrow(refusedAs('AmountMismatch'));
  expect((await operations.signSponsored({ ...approved, encrypted })).signatures).toHaveLength(2);
});

test('a speed-up of an encrypted amount is signed only with the approved ciphertext', async () => {
  const asset = { kind: 'Erc7984', contract: TOKEN } as const;
  const encrypted = { handle: `0x${'cd'.repeat(21)}000000000000aa36a70500`, inputProof: '0x0101' };
  const callOf = (amount: typeof encrypted) =>
    codec.callOf({
      ...{ network: 'EthereumSepolia', from: codec.addressOf(wallet.publicKeyHex), to: TO, amountUnits: 1_000n },
      ...{ asset, encrypted: amount },
    });
  const asked = orderOf('xfr-slow', { calls: [callOf(encrypted)] });
  const first = { ...asked.order, intent: { ...asked.order.intent, asset }, encrypted };
  await operations.signSponsored(first);
  const { operation } = evmDecoderOf('EthereumSepolia').decodeSponsored(first.bytesHex);
  const faster = (amount: typeof encrypted): SignSponsoredOrder => ({
    ...first,
    ...{ requestId: 'xfr-faster', replaces: 'xfr-slow', feeCeilingUnits: String(2n * MAX_FEE_UNITS) },
    bytesHex: codec.buildSponsored(
      { operation: { ...operation, calls: [callOf(amount)] }, sponsor: first.sponsor, authorizationNonce: first.nonce },
      first.nonce,
      { ...FEES, maxFeePerGas: FEES.maxFeePerGas + 1n },
    ).unsigned.bytesHex,
  });
  await expect(operations.signSponsored(faster({ ...encrypted, inputProof: '0x0102' }))).rejects.toThrow(
    refusedAs('AmountMismatch'),
  );
  expect((await operations.signSponsored(faster(encrypted))).signatures).toHaveLength(2);
});

test('the fee, nonce, key and chain must be those of the order, and an authorization uses up a nonce of the wallet', async () => {
  const { order } = orderOf('xfr-e');
  const refused = (changes: Partial<SignSponsoredOrder>, reason: string) =>
    expect(operations.signSponsored({ ...order, ...changes })).rejects.toThrow(refusedAs(reason));
  await refused({ feeCeilingUnits: String(MAX_FEE_UNITS - 1n) }, 'FeeAboveApproved');
  await refused({ nonce: order.nonce + 1 }, 'NonceMismatch');
  await refused({ chainId: 1 }, 'ChainIdMismatch');
  await refused({ keyId: 'key-2', sealed: payer.sealed, dek: payer.dek }, 'SenderMismatch');
  await operations.signSponsored(order);
  const spends = orderFor(wallet, 'xfr-f', { nonce: order.nonce });
  await expect(operations.signTransfer(spends)).rejects.toThrow(refusedAs('NonceSignedAlready'));
});

test('calls that were approved together are signed only in the approved order, and only once for all transactions of a sponsor', async () => {
  const calls = [
    { to: TO, valueUnits: '1000', dataHex: '0x' },
    { to: TOKEN, valueUnits: '0', dataHex: TRANSFER },
  ];
  const [asked, others] = [orderOf('tx-g', { calls }), orderOf('tx-h', { calls: [...calls].reverse() })];
  const approved = { asset: { kind: 'Call' as const }, callDigest: digestOf(calls) };
  const order = { ...asked.order, intent: { ...asked.order.intent, ...approved } };
  const wrong = { ...others.order, intent: { ...others.order.intent, ...approved } };
  await expect(operations.signSponsored(wrong)).rejects.toThrow(refusedAs('CallMismatch'));
  const { signatures } = await operations.signSponsored(order);
  const complete = codec.completeSponsored(
    asked.unsigned,
    signatures.map(({ r, s, recoveryId = 0 }) => ({ r, s, recoveryId })),
  );
  await operations.signSponsored({ ...ofPayer(asked, complete.bytesHex), intent: order.intent });
  const unsigned = codec.buildSponsored(
    {
      operation: evmDecoderOf('EthereumSepolia').decodeSponsored(complete.bytesHex).operation,
      sponsor: order.sponsor,
      authorizationNonce: order.nonce,
    },
    order.nonce + 100,
    FEES,
  ).unsigned;
  const elsewhere = codec.completeSponsored(
    unsigned,
    signatures.map(({ r, s, recoveryId = 0 }) => ({ r, s, recoveryId })),
  );
  const again = { ...ofPayer(asked, elsewhere.bytesHex), intent: order.intent, nonce: order.nonce + 100, requestId: 'tx-i' };
  await expect(operations.signSponsored(again)).rejects.toThrow(refusedAs('NonceSignedAlready'));
  await operations.signSponsored({ ...again, replaces: 'tx-g' });
});
