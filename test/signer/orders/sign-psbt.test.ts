import { utxoDecoderOf } from '../../../chains/decoders';
import { digestOf } from '../../../platform/canonical';
import type { CreatedKey, SignPayloadOrder, SignUtxoOrder } from '../../../signer/protocol';
import { payee, psbtFor } from '../../chains/utxo/psbts';
import { NOW_MS, ORG, openOperations, refusedAs, temporaryFolder } from '../fixtures';

const NETWORK = 'BitcoinSignet';

let folder: ReturnType<typeof temporaryFolder>;
let signer: Awaited<ReturnType<typeof openOperations>>;
let key: CreatedKey;
beforeAll(async () => {
  folder = temporaryFolder();
  signer = await openOperations(folder.path);
  key = await signer.createKey({ orgId: ORG, keyId: 'key-1', scheme: 'ECDSA', curve: 'secp256k1' });
});
afterAll(async () => {
  await signer.close();
  folder.remove();
});

type Wanted = Parameters<typeof psbtFor>[2];
const base = (requestId: string) => ({
  ...{ requestId, orgId: ORG, keyId: key.sealed.keyId, sealed: key.sealed, dek: key.dek },
  issuedAt: new Date(NOW_MS).toISOString(),
  notAfter: new Date(NOW_MS + 60_000).toISOString(),
});
const payload = (requestId: string, bytesHex: string, network = NETWORK): SignPayloadOrder => ({
  ...base(requestId),
  payload: { kind: 'Psbt', network, bytesHex },
  evidence: [],
  policyEpoch: 0,
});
const psbt = (wanted?: Wanted) => psbtFor(NETWORK, key.publicKeyHex, wanted);
/** An honest order for a raw transaction. `intent` replaces members of the approved intent. */
function raw(requestId: string, bytesHex: string, intent: Partial<SignUtxoOrder['intent']> = {}): SignUtxoOrder {
  const { address, recipients, amountUnits } = utxoDecoderOf(NETWORK).effectOf(bytesHex, { publicKeyHex: key.publicKeyHex });
  const told = { from: address, to: recipients[0] ?? address, amountUnits: String(amountUnits) };
  const callDigest = digestOf({ psbtHex: bytesHex });
  return { ...base(requestId), network: NETWORK, bytesHex, feeCeilingUnits: '1000', intent: { ...told, callDigest, ...intent } };
}

test('a PSBT claims its coins under either kind of order, and different bytes are not signed for these coins (S5)', async () => {
  const bytesHex = psbt({ coins: [80_000n, 70_000n], other: 'unsigned' });
  const signed = await signer.signPayload(payload('sig-1', bytesHex));
  expect(signed.signatures).toHaveLength(2);
  expect((await signer.signUtxo(raw('txn-1', bytesHex))).signatures).toEqual(signed.signatures);
  const rival = psbt({ coins: [80_000n, 70_000n], pay: [[payee(NETWORK), 1_000n]] });
  await expect(signer.signPayload(payload('sig-2', rival))).rejects.toEqual(refusedAs('NonceSignedAlready'));
  await expect(signer.signUtxo(raw('txn-2', rival))).rejects.toEqual(refusedAs('NonceSignedAlready'));
});

test.each<[string, string, () => Wanted]>([
  ['an amount without a proof', 'AmountNotProved', () => ({ isProved: false })],
  [
    'a hash type that leaves outputs open',
    'BytesNotUnderstood',
    () => ({ change: (tx) => tx.updateInput(0, { sighashType: 2 }, true) }),
  ],
  [
    'an input of the key that is already signed',
    'CallMismatch',
    () => ({ change: (tx) => tx.updateInput(0, { finalScriptWitness: [new Uint8Array([1])] }, true) }),
  ],
  [
    'a fee above every ceiling',
    'FeeAboveSignerCeiling',
    () => ({ coins: [2n ** 40n], pay: [], change: (tx) => tx.updateOutput(0, { amount: 1_000n }, true) }),
  ],
])('%s is refused in both orders', async (_title, reason, wanted) => {
  const bytesHex = psbt(wanted());
  await expect(signer.signPayload(payload('sig-bad', bytesHex))).rejects.toEqual(refusedAs(reason));
  const intent = { from: payee(NETWORK), to: payee(NETWORK), amountUnits: '1', callDigest: digestOf({ psbtHex: bytesHex }) };
  const order = { ...base('txn-bad'), network: NETWORK, bytesHex, feeCeilingUnits: '1000', intent };
  await expect(signer.signUtxo(order)).rejects.toEqual(refusedAs(reason));
});

test.each<[string, string, Partial<SignUtxoOrder['intent']>, Partial<SignUtxoOrder>]>([
  ['different bytes', 'CallMismatch', { callDigest: '00'.repeat(32) }, {}],
  ['a different sender', 'SenderMismatch', { from: payee(NETWORK) }, {}],
  ['a different recipient', 'RecipientMismatch', { to: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }, {}],
  ['a different amount', 'AmountMismatch', { amountUnits: '19999' }, {}],
  ['a smaller fee', 'FeeAboveApproved', {}, { feeCeilingUnits: '499' }],
])('a raw transaction is refused if the approval contains %s', async (_title, reason, intent, order) => {
  const bytesHex = psbt({ coins: [90_000n] });
  await expect(signer.signUtxo({ ...raw('txn-other', bytesHex, intent), ...order })).rejects.toEqual(refusedAs(reason));
});

test('a PSBT for a mainnet is refused, and so is a key that does not unlock any input', async () => {
  await expect(signer.signPayload(payload('sig-main', psbt(), 'Bitcoin'))).rejects.toEqual(refusedAs('MainnetNotAllowed'));
  const strange = psbtFor(NETWORK, '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5');
  await expect(signer.signPayload(payload('sig-strange', strange))).rejects.toEqual(refusedAs('InputNotOurs'));
});
