import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { Transaction } from '@scure/btc-signer';
import { utxoCodecOf } from '../../../chains/codecs';
import { utxoDecoderOf } from '../../../chains/decoders';
import { LENIENT, payee, psbtFor } from '../../chains/utxo/psbts';
import { type SignatureApi, startSignatureApi } from '../../support/signature-api';
import { faultAt, START_LIMIT_MS } from '../../support/wallet-api';

const NETWORK = 'BitcoinSignet';
const MESSAGE = '0x68656c6c6f';
type Key = { readonly id: string; readonly publicKey: string };
type Signed = {
  readonly id: string;
  readonly status: string;
  readonly reason?: string;
  readonly signedData?: string;
  readonly txHash?: string;
  readonly signatures?: readonly { readonly r: string; readonly s: string; readonly encoded: string }[];
  readonly details?: { readonly transaction: string };
};

let signatures: SignatureApi;
const keys: Partial<Record<'ECDSA' | 'Schnorr', Key>> = {};
beforeAll(async () => {
  signatures = await startSignatureApi();
  for (const scheme of ['ECDSA', 'Schnorr'] as const) keys[scheme] = await signatures.createKey({ scheme, curve: 'secp256k1' });
}, START_LIMIT_MS);
afterAll(() => signatures?.close());

const keyOf = (scheme: 'ECDSA' | 'Schnorr'): Key => {
  const { id, publicKey } = keys[scheme] ?? { id: '', publicKey: '' };
  return { id, publicKey: publicKey.replace(/^0x/, '') };
};
const sign = async (scheme: 'ECDSA' | 'Schnorr', body: Readonly<Record<string, unknown>>) =>
  (await signatures.request({ network: NETWORK, ...body }, `/keys/${keyOf(scheme).id}/signatures`)) as Signed;

test.each(['ECDSA', 'Schnorr'] as const)(
  'a PSBT that spends two coins is returned signed by %s, with its transaction',
  async (scheme) => {
    const psbt = psbtFor(NETWORK, keyOf(scheme).publicKey, { coins: [50_000n, 40_000n], pay: [[payee(NETWORK), 60_000n]] });
    const body = { kind: 'Psbt', psbt: psbt.slice(2).toUpperCase(), externalId: `two-${scheme}` };
    const signed = await sign(scheme, body);
    expect(signed).toMatchObject({ status: 'Signed', txHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(signed.signatures).toHaveLength(2);
    // The library’s own finalizer accepts the PSBT and builds the same transaction.
    const tx = Transaction.fromPSBT(Buffer.from(signed.signedData?.slice(2) ?? '', 'hex'), LENIENT);
    tx.finalize();
    expect({ txHash: tx.id, transaction: `0x${tx.hex}` }).toEqual({ txHash: signed.txHash, ...signed.details });
    expect(await sign(scheme, body)).toEqual(signed);

    // The signed transaction can be sent at any time, so no further PSBT may spend the first coin (S12).
    const rival = psbtFor(NETWORK, keyOf(scheme).publicKey, { coins: [50_000n, 40_000n], pay: [[payee(NETWORK), 1_000n]] });
    const refused = await sign(scheme, { kind: 'Psbt', psbt: rival });
    expect(refused).toMatchObject({
      status: 'Failed',
      reason: expect.stringMatching(/^The coin [0-9a-f]{64}:0 belongs to another/),
    });
  },
);

test('only the wallet’s own coins are signed, and a transaction is returned only when all coins are signed', async () => {
  const { publicKey } = keyOf('ECDSA');
  const half = await sign('ECDSA', { kind: 'Psbt', psbt: psbtFor(NETWORK, publicKey, { coins: [51_000n], other: 'unsigned' }) });
  expect(half).toMatchObject({ status: 'Signed', signatures: [expect.anything()] });
  expect(half).not.toHaveProperty('txHash');
  expect(half).not.toHaveProperty('details');
  const whole = await sign('ECDSA', { kind: 'Psbt', psbt: psbtFor(NETWORK, publicKey, { coins: [52_000n], other: 'signed' }) });
  expect(whole).toMatchObject({ status: 'Signed', details: { transaction: expect.stringMatching(/^0x02000000/) } });
});

test.each(['ECDSA', 'Schnorr'] as const)('a key of %s signs a message by BIP322', async (scheme) => {
  const { publicKey } = keyOf(scheme);
  const { digest } = utxoDecoderOf(NETWORK).messageDigestOf(MESSAGE, publicKey);
  const [simple, full] = [
    await sign(scheme, { kind: 'Bip322', message: MESSAGE }),
    await sign(scheme, { kind: 'Bip322', message: MESSAGE, format: 'Full' }),
  ];
  expect([simple.signedData?.slice(0, 3), full.signedData?.slice(0, 3)]).toEqual(['smp', 'ful']);
  const compact = Buffer.from(simple.signatures?.[0]?.encoded.slice(2, 130) ?? '', 'hex');
  const output = Buffer.from(utxoCodecOf(NETWORK).scriptOf(utxoCodecOf(NETWORK).addressOf(publicKey)), 'hex').subarray(2);
  const good =
    scheme === 'Schnorr'
      ? schnorr.verify(compact, digest, output)
      : secp256k1.verify(compact, digest, Buffer.from(publicKey, 'hex'), { prehash: false });
  expect(good).toBe(true);
});

const ecdsa = (wanted?: Parameters<typeof psbtFor>[2]) =>
  psbtFor(NETWORK, keyOf('ECDSA').publicKey, { coins: [53_000n], ...wanted });
test.each<[string, () => Readonly<Record<string, unknown>>, string]>([
  ['bytes that are not a PSBT', () => ({ kind: 'Psbt', psbt: '0x00' }), 'body.psbt'],
  ['a truncated PSBT', () => ({ kind: 'Psbt', psbt: ecdsa().slice(0, -8) }), 'body.psbt'],
  [
    'a PSBT that spends no coin of the key',
    () => ({ kind: 'Psbt', psbt: psbtFor(NETWORK, keyOf('Schnorr').publicKey) }),
    'body.psbt',
  ],
  ['an amount that nothing proves', () => ({ kind: 'Psbt', psbt: ecdsa({ isProved: false }) }), 'body.psbt'],
  [
    'a hash type that leaves outputs open',
    () => ({ kind: 'Psbt', psbt: ecdsa({ change: (tx) => tx.updateInput(0, { sighashType: 3 }, true) }) }),
    'body.psbt',
  ],
  [
    'a fee above the ceiling',
    () => ({
      kind: 'Psbt',
      psbt: ecdsa({ coins: [900_000_000n], pay: [], change: (tx) => tx.updateOutput(0, { amount: 1_000n }, true) }),
    }),
    'body.psbt',
  ],
  ['a mainnet', () => ({ kind: 'Psbt', psbt: ecdsa(), network: 'Bitcoin' }), 'body.network'],
  ['a network in a different family', () => ({ kind: 'Psbt', psbt: ecdsa(), network: 'EthereumSepolia' }), 'body.network'],
  ['a different kind of chain', () => ({ kind: 'Psbt', psbt: ecdsa(), blockchainKind: 'Solana' }), 'body.blockchainKind'],
  ['a message that is a transaction (S12)', () => ({ kind: 'Bip322', message: ecdsa() }), 'body.message'],
  [
    'a message on a network without witness addresses',
    () => ({ kind: 'Bip322', message: MESSAGE, network: 'DogecoinTestnet' }),
    'body.network',
  ],
  ['an unknown format', () => ({ kind: 'Bip322', message: MESSAGE, format: 'Legacy' }), 'body.format'],
])('%s is refused with its path, and no row is stored', async (_title, body, path) => {
  const before = await signatures.count();
  const answer = await signatures.ask({ network: NETWORK, ...body() }, `/keys/${keyOf('ECDSA').id}/signatures`);
  expect(answer).toMatchObject({ status: 400, body: { error: { details: faultAt(path) } } });
  expect(await signatures.count()).toBe(before);
});

test('rules about recipients apply to every payee of a PSBT, and an unreadable output is treated as an unknown payee', async () => {
  await signatures.addPolicy({
    rule: { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [payee(NETWORK)] } },
    action: { kind: 'Block' },
  });
  const { publicKey } = keyOf('ECDSA');
  const stranger = utxoCodecOf(NETWORK).addressOf(keyOf('Schnorr').publicKey);
  const status = async (wanted: Parameters<typeof psbtFor>[2]) =>
    (await sign('ECDSA', { kind: 'Psbt', psbt: psbtFor(NETWORK, publicKey, wanted) })).status;
  expect(await status({ coins: [61_000n] })).toBe('Signed');
  expect(
    await status({
      coins: [62_000n],
      pay: [
        [payee(NETWORK), 1_000n],
        [stranger, 1_000n],
      ],
    }),
  ).toBe('Rejected');
  const burnt = { coins: [63_000n], change: (tx: Transaction) => tx.updateOutput(0, { script: Uint8Array.from([0x51]) }, true) };
  expect(await status(burnt)).toBe('Rejected');
});
