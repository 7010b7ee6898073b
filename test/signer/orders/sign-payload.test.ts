import { createHash, verify as verifyEd25519 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schnorr } from '@noble/curves/secp256k1.js';
import { taprootTweakPubkey } from '@scure/btc-signer/utils.js';
import {
  hashMessage,
  hashTypedData,
  keccak256,
  recoverAddress,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
  type TransactionSerialized,
} from 'viem';
import { hashAuthorization, recoverAuthorizationAddress } from 'viem/utils';
import type { SigningPayload } from '../../../signer/judging/signing-payload';
import {
  type CreatedKey,
  type PayloadSignature,
  type SignPayloadOrder,
  SignPayloadOrder as SignPayloadOrderShape,
} from '../../../signer/protocol';
import vectors from '../../chains/solana/vectors.json';
import { codec, NOW_MS, ORG, openOperations, orderFor, payloadOrderFor, refusedAs, TO, temporaryFolder } from '../fixtures';

const SIGNED_NATIVE = vectors.transactions.native.rawHex;
const folder = temporaryFolder();
let operations: Awaited<ReturnType<typeof openOperations>>;
const keys = new Map<string, CreatedKey>();
let nowMs = NOW_MS;
let count = 0;

const FORMS = [
  ['ECDSA', 'secp256k1'],
  ['ECDSA', 'stark'],
  ['EdDSA', 'ed25519'],
  ['Schnorr', 'secp256k1'],
  ['DH', 'secp256k1'],
] as const;
type Form = `${(typeof FORMS)[number][0]} ${(typeof FORMS)[number][1]}`;

beforeAll(async () => {
  operations = await openOperations(folder.path, () => nowMs);
  for (const [scheme, curve] of FORMS) {
    const order = { orgId: ORG, keyId: `key-${scheme}-${curve}`, scheme, curve };
    keys.set(`${scheme} ${curve}`, await operations.createKey(order));
  }
});
beforeEach(() => {
  nowMs = NOW_MS;
});
afterAll(async () => {
  await operations.close();
  folder.remove();
});

function keyOf(form: Form): CreatedKey {
  const key = keys.get(form);
  if (!key) throw new Error(`no key for ${form}`);
  return key;
}

function order(
  payload: SigningPayload,
  form: Form = 'ECDSA secp256k1',
  changes: Partial<SignPayloadOrder> = {},
): SignPayloadOrder {
  count += 1;
  return { ...payloadOrderFor(keyOf(form), `sig-${count}`, payload), ...changes };
}

const DIGEST = `0x${'5a'.repeat(32)}` as const;
const asHex = (text: string): `0x${string}` => `0x${Buffer.from(text).toString('hex')}`;
const addressOf = (form: Form) => codec.addressOf(keyOf(form).publicKeyHex);
const wordsOf = ({ signatures: [signature] }: PayloadSignature) => {
  if (!signature) throw new Error('no signature');
  return { r: signature.r as `0x${string}`, s: signature.s as `0x${string}`, yParity: signature.recoveryId ?? 0 };
};
const flat = (answer: PayloadSignature) => `${wordsOf(answer).r.slice(2)}${wordsOf(answer).s.slice(2)}`;

test('ECDSA, EdDSA and Schnorr keys sign a hash unchanged', async () => {
  const ecdsa = await operations.signPayload(order({ kind: 'Hash', digestHex: DIGEST }));
  expect(ecdsa.digestHex).toBe(DIGEST);
  expect(await recoverAddress({ hash: DIGEST, signature: wordsOf(ecdsa) })).toBe(addressOf('ECDSA secp256k1'));

  const bytes = Buffer.from(DIGEST.slice(2), 'hex');
  const eddsa = await operations.signPayload(order({ kind: 'Hash', digestHex: DIGEST }, 'EdDSA ed25519'));
  expect(verifyEd25519(null, bytes, publicKeyOf('EdDSA ed25519'), Buffer.from(flat(eddsa), 'hex'))).toBe(true);

  const plain = await operations.signPayload(order({ kind: 'Hash', digestHex: DIGEST }, 'Schnorr secp256k1'));
  const internal = Buffer.from(keyOf('Schnorr secp256k1').publicKeyHex, 'hex');
  expect(schnorr.verify(Buffer.from(flat(plain), 'hex'), bytes, internal)).toBe(true);
});

function publicKeyOf(form: Form) {
  return {
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(keyOf(form).publicKeyHex, 'hex')]),
    format: 'der',
    type: 'spki',
  } as const;
}

test('EdDSA signs the message itself, without a hash', async () => {
  const message = Buffer.from('a message of any length, not hashed first');
  const answer = await operations.signPayload(order({ kind: 'Message', messageHex: asHex(String(message)) }, 'EdDSA ed25519'));
  expect(verifyEd25519(null, message, publicKeyOf('EdDSA ed25519'), Buffer.from(flat(answer), 'hex'))).toBe(true);
});

test.each(['Message', 'Eip191'] as const)('%s with ECDSA on secp256k1 is signed as a personal message', async (kind) => {
  const answer = await operations.signPayload(order({ kind, messageHex: asHex('hello') }));
  expect(answer.digestHex).toBe(hashMessage('hello'));
  const recovered = await recoverAddress({ hash: hashMessage('hello'), signature: wordsOf(answer) });
  expect(recovered).toBe(addressOf('ECDSA secp256k1'));
});

const AUTHORIZATION = { chainId: 11_155_111, address: TO, nonce: 7 } as const;
test('an EIP-7702 authorization is signed as EIP-7702 specifies', async () => {
  const answer = await operations.signPayload(order({ kind: 'Eip7702', ...AUTHORIZATION }));
  expect(answer.digestHex).toBe(hashAuthorization(AUTHORIZATION));
  const authority = await recoverAuthorizationAddress({ authorization: AUTHORIZATION, signature: wordsOf(answer) });
  expect(authority).toBe(addressOf('ECDSA secp256k1'));
});

const DOMAIN = { name: 'Exchange', version: '1', chainId: 11_155_111, verifyingContract: TO } as const;
const TYPES = {
  Order: [
    { name: 'maker', type: 'address' },
    { name: 'amounts', type: 'uint256[]' },
  ],
} as const;
const MESSAGE = {
  maker: TO,
  amounts: ['1', '115792089237316195423570985008687907853269984665640564039457584007913129639935'],
} as const;
test('typed data is hashed as EIP-712 specifies, and the primary type is derived if it is missing', async () => {
  const typed = { domain: DOMAIN, types: TYPES, message: MESSAGE };
  const answer = await operations.signPayload(order({ kind: 'Eip712', typedData: JSON.stringify(typed) }));
  const amounts = MESSAGE.amounts.map(BigInt);
  const hash = hashTypedData({ domain: DOMAIN, types: TYPES, primaryType: 'Order', message: { maker: TO, amounts } });
  expect(answer.digestHex).toBe(hash);
  expect(await recoverAddress({ hash, signature: wordsOf(answer) })).toBe(addressOf('ECDSA secp256k1'));
});

test('Taproot: the signature verifies under the output key that an independent library computes', async () => {
  const internal = Buffer.from(keyOf('Schnorr secp256k1').publicKeyHex, 'hex');
  for (const [taprootMerkleRootHex, root] of [
    ['0x', new Uint8Array()],
    [`0x${'77'.repeat(32)}`, Buffer.alloc(32, 0x77)],
  ] as const) {
    const answer = await operations.signPayload(
      order({ kind: 'Hash', digestHex: DIGEST, taprootMerkleRootHex }, 'Schnorr secp256k1'),
    );
    const [output] = taprootTweakPubkey(internal, root);
    expect(schnorr.verify(Buffer.from(flat(answer), 'hex'), Buffer.from(DIGEST.slice(2), 'hex'), output)).toBe(true);
  }
});

const PRICES = { gas: 60_000n, gasPrice: 1_000_000_000n } as const;
const FEES = { gas: 60_000n, maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n } as const;
const BASE = { chainId: 11_155_111, to: TO, value: 1_000n, data: '0xdeadbeef' } as const;
const LIST = [{ address: TO, storageKeys: [DIGEST] }] as const;
const signedElsewhere = { ...AUTHORIZATION, r: DIGEST, s: DIGEST, yParity: 0 } as const;
const TRANSACTIONS: readonly (readonly [string, (nonce: number) => TransactionSerializable])[] = [
  ['0 (EIP-155)', (nonce) => ({ type: 'legacy', ...BASE, ...PRICES, nonce })],
  ['1 (EIP-2930)', (nonce) => ({ type: 'eip2930', ...BASE, ...PRICES, nonce, accessList: LIST })],
  ['2 (EIP-1559)', (nonce) => ({ type: 'eip1559', ...BASE, ...FEES, nonce, accessList: LIST })],
  ['2, which creates a contract', (nonce) => ({ type: 'eip1559', ...BASE, ...FEES, nonce, to: null })],
  ['4 (EIP-7702)', (nonce) => ({ type: 'eip7702', ...BASE, ...FEES, nonce, authorizationList: [signedElsewhere] })],
];
let nonce = 0;
beforeEach(() => {
  nonce += 10;
});

test.each(TRANSACTIONS)(
  'a transaction of type %s is signed, and an independent library recovers the sender',
  async (_type, make) => {
    const transaction = make(nonce);
    const bytesHex = serializeTransaction(transaction);
    const answer = await operations.signPayload(order({ kind: 'EvmTransaction', bytesHex }));
    expect(answer.digestHex).toBe(keccak256(bytesHex));
    const { r, s, yParity } = wordsOf(answer);
    const signed = serializeTransaction(
      transaction,
      transaction.type === 'legacy' ? { r, s, v: BigInt(35 + yParity) + 2n * 11_155_111n } : { r, s, yParity },
    );
    const sender = await recoverTransactionAddress({ serializedTransaction: signed as TransactionSerialized });
    expect(sender).toBe(addressOf('ECDSA secp256k1'));
  },
);

const bytesOf = (changes: object = {}) =>
  serializeTransaction({ type: 'eip1559', ...BASE, ...FEES, nonce, ...changes } as TransactionSerializable);
const transaction = (changes: object = {}) => ({ kind: 'EvmTransaction', bytesHex: bytesOf(changes) }) as const;
const typedData = (changes: object = {}) =>
  ({ kind: 'Eip712', typedData: JSON.stringify({ domain: DOMAIN, types: TYPES, message: MESSAGE, ...changes }) }) as const;

test.each<[string, string, () => SigningPayload, Form?]>([
  ['a transaction for a mainnet', 'MainnetNotAllowed', () => transaction({ chainId: 1 })],
  ['a transaction for an unknown chain', 'UnknownNetwork', () => transaction({ chainId: 31_337 })],
  [
    'a transaction for every chain',
    'BytesNotUnderstood',
    () => ({ kind: 'EvmTransaction', bytesHex: serializeTransaction({ type: 'legacy', to: TO, ...PRICES, nonce }) }),
  ],
  [
    'a transaction that is already signed',
    'BytesNotUnderstood',
    () => ({
      kind: 'EvmTransaction',
      bytesHex: serializeTransaction({ type: 'eip1559', ...BASE, ...FEES, nonce }, { r: DIGEST, s: DIGEST, yParity: 0 }),
    }),
  ],
  [
    'a transaction with blobs',
    'BytesNotUnderstood',
    () => ({
      kind: 'EvmTransaction',
      bytesHex: serializeTransaction({
        type: 'eip4844',
        ...BASE,
        ...FEES,
        nonce,
        maxFeePerBlobGas: 1n,
        blobVersionedHashes: [`0x01${'00'.repeat(31)}`],
      }),
    }),
  ],
  ['a byte after a transaction', 'BytesNotUnderstood', () => ({ kind: 'EvmTransaction', bytesHex: `${bytesOf()}00` })],
  ['hex that is not a transaction', 'BytesNotUnderstood', () => ({ kind: 'EvmTransaction', bytesHex: '0xdeadbeef' })],
  ['a transaction without bytes', 'BytesNotUnderstood', () => ({ kind: 'EvmTransaction', bytesHex: '0x' })],
  [
    'a fee above the signer’s own ceiling',
    'FeeAboveSignerCeiling',
    () => transaction({ gas: 10_000_000n, maxFeePerGas: 20_000_000_001n }),
  ],
  ['an authorization for a mainnet', 'MainnetNotAllowed', () => ({ kind: 'Eip7702', ...AUTHORIZATION, chainId: 1 })],
  ['an authorization for every chain', 'MainnetNotAllowed', () => ({ kind: 'Eip7702', ...AUTHORIZATION, chainId: 0 })],
  ['typed data for a mainnet', 'MainnetNotAllowed', () => typedData({ domain: { ...DOMAIN, chainId: '1' } })],
  ['typed data for an unknown chain', 'UnknownNetwork', () => typedData({ domain: { ...DOMAIN, chainId: 999_999_999 } })],
  ['typed data that does not fit its types', 'TypedDataNotUnderstood', () => typedData({ message: { maker: TO } })],
  ['typed data that is not JSON', 'TypedDataNotUnderstood', () => ({ kind: 'Eip712', typedData: '{' })],
  ['a transaction that is labelled a message', 'MessageIsTransaction', () => ({ kind: 'Message', messageHex: bytesOf() })],
  [
    'a signed transaction that is labelled a personal message',
    'MessageIsTransaction',
    () => ({
      kind: 'Eip191',
      messageHex: serializeTransaction({ type: 'eip1559', ...BASE, ...FEES, nonce }, { r: DIGEST, s: DIGEST, yParity: 0 }),
    }),
  ],
  [
    'a transaction of Solana that is labelled a message',
    'MessageIsTransaction',
    () => ({ kind: 'Message', messageHex: vectors.transactions['legacy native'].messageHex }),
    'EdDSA ed25519',
  ],
  [
    'a signed transaction of Solana that is labelled a message',
    'MessageIsTransaction',
    () => ({ kind: 'Message', messageHex: SIGNED_NATIVE }),
    'EdDSA ed25519',
  ],
  ['a STARK digest of 2^251', 'DigestOutOfRange', () => ({ kind: 'Hash', digestHex: `0x08${'00'.repeat(31)}` }), 'ECDSA stark'],
  ['a hash for a Diffie-Hellman key', 'PayloadNotSupported', () => ({ kind: 'Hash', digestHex: DIGEST }), 'DH secp256k1'],
  ['a tweak for an ECDSA key', 'PayloadNotSupported', () => ({ kind: 'Hash', digestHex: DIGEST, taprootMerkleRootHex: '0x' })],
  [
    'a tweak for an EdDSA key',
    'PayloadNotSupported',
    () => ({ kind: 'Hash', digestHex: DIGEST, taprootMerkleRootHex: '0x' }),
    'EdDSA ed25519',
  ],
  ['a message for a Schnorr key', 'PayloadNotSupported', () => ({ kind: 'Message', messageHex: '0x01' }), 'Schnorr secp256k1'],
  ['a message for a STARK key', 'PayloadNotSupported', () => ({ kind: 'Message', messageHex: '0x01' }), 'ECDSA stark'],
  ['a personal message for an EdDSA key', 'PayloadNotSupported', () => ({ kind: 'Eip191', messageHex: '0x01' }), 'EdDSA ed25519'],
  ['typed data for a Schnorr key', 'PayloadNotSupported', () => typedData(), 'Schnorr secp256k1'],
  ['a transaction for a STARK key', 'PayloadNotSupported', () => transaction(), 'ECDSA stark'],
])('%s: %s, and nothing is logged', async (_what, reason, payload, form = 'ECDSA secp256k1') => {
  const lines = operations.log.size;
  await expect(operations.signPayload(order(payload(), form))).rejects.toThrow(refusedAs(reason));
  expect(operations.log.size).toBe(lines);
});

test.each<[string, string, (order: SignPayloadOrder) => SignPayloadOrder]>([
  ['the key of another organisation', 'KeyRowMismatch', (made) => ({ ...made, orgId: 'or-other' })],
  ['the row of another key', 'KeyRowMismatch', (made) => ({ ...made, keyId: 'key-other' })],
  ['the data key of another organisation', 'KeyRowMismatch', (made) => ({ ...made, dek: { ...made.dek, orgId: 'or-other' } })],
  [
    'a public key that was swapped (threat 2)',
    'EnvelopeRejected',
    (made) => ({ ...made, sealed: { ...made.sealed, publicKeyHex: `02${'11'.repeat(32)}` } }),
  ],
  [
    'a key row with a different scheme',
    'EnvelopeRejected',
    (made) => ({
      ...made,
      sealed: { ...made.sealed, curve: 'stark' },
      payload: { kind: 'Hash', digestHex: `0x00${'11'.repeat(31)}` },
    }),
  ],
  ['an order that is too old', 'ClockDrift', (made) => ({ ...made, issuedAt: '2020-01-01T00:00:00.000Z' })],
  ['an order after its expiry', 'OrderExpired', (made) => ({ ...made, notAfter: new Date(NOW_MS - 1).toISOString() })],
])('%s: %s', async (_what, reason, alter) => {
  await expect(operations.signPayload(alter(order({ kind: 'Hash', digestHex: DIGEST })))).rejects.toThrow(refusedAs(reason));
});

test('the same request and payload get the stored signature, also after a restart', async () => {
  const made = order({ kind: 'Eip191', messageHex: asHex('once') });
  const first = await operations.signPayload(made);
  const lines = operations.log.size;
  expect(await operations.signPayload(made)).toEqual(first);
  await operations.close();
  operations = await openOperations(folder.path, () => nowMs);
  expect(await operations.signPayload(made)).toEqual(first);
  expect(operations.log.size).toBe(lines);
});

test('one request and one intent never get a second payload', async () => {
  const made = order({ kind: 'Hash', digestHex: DIGEST }, 'ECDSA secp256k1', { intentId: 'signature:invoice 4711' });
  await operations.signPayload(made);
  const payload = { kind: 'Hash', digestHex: `0x${'5b'.repeat(32)}` } as const;
  await expect(operations.signPayload({ ...made, payload })).rejects.toMatchObject({
    reason: 'RequestIdReused',
    signedBefore: true,
  });
  const renamed = { ...made, payload, requestId: `${made.requestId}-b` };
  await expect(operations.signPayload(renamed)).rejects.toMatchObject({ reason: 'IntentSignedAlready', signedBefore: true });
});

test('the same hash under two requests has one signature and two entries in the log', async () => {
  const lines = operations.log.size;
  const [one, two] = [order({ kind: 'Hash', digestHex: DIGEST }), order({ kind: 'Hash', digestHex: DIGEST })];
  expect(await operations.signPayload(one)).toEqual(await operations.signPayload(two));
  expect(operations.log.size).toBe(lines + 2);
});

test('a nonce is signed for only one transaction, whether a payload or a transfer requests it', async () => {
  await operations.signPayload(order(transaction()));
  await expect(operations.signPayload(order(transaction({ value: 2n })))).rejects.toThrow(refusedAs('NonceSignedAlready'));
  const transfer = orderFor(keyOf('ECDSA secp256k1'), `xfr-${nonce}`, { nonce });
  await expect(operations.signTransfer(transfer)).rejects.toThrow(refusedAs('NonceSignedAlready'));

  const later = orderFor(keyOf('ECDSA secp256k1'), `xfr-${nonce}-b`, { nonce: nonce + 1 });
  const { signature } = await operations.signTransfer(later);
  await expect(operations.signPayload(order(transaction({ nonce: nonce + 1 })))).rejects.toThrow(refusedAs('NonceSignedAlready'));
  const same = await operations.signPayload(order({ kind: 'EvmTransaction', bytesHex: later.bytesHex }));
  expect(same.signatures).toEqual([signature]);
});

const EVIDENCE = {
  kind: 'Initiator',
  userId: 'us-1',
  credentialId: 'cred-1',
  credentialIds: ['cred-1'],
  method: 'POST',
  path: '/keys/key-1/signatures',
  bodySha256: 'ab'.repeat(32),
  dateExpires: '2026-01-02T03:10:00.000Z',
  approvalDigest: null,
  nonce: 'AAAA',
  challenge: 'BBBB',
  firstFactorKind: 'Key',
  publicKey: 'PEM',
  clientData: 'data',
  authenticatorData: null,
  signature: 'CCCC',
  secondFactor: null,
} as const;

test('the log contains the evidence and the policy epoch of each signature', async () => {
  const evidence: SignPayloadOrder['evidence'] = [
    { ...EVIDENCE, credentialIds: ['cred-1'] },
    { kind: 'Approval', approvalId: 'ap-1', digest: 'cd'.repeat(32), committed: '{"v":1}' },
  ];
  await operations.signPayload(order({ kind: 'Hash', digestHex: DIGEST }, 'EdDSA ed25519', { evidence, policyEpoch: 41 }));
  const [attachment = '', entry = ''] = readFileSync(join(folder.path, 'journal-000001.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .slice(-3);
  expect(JSON.parse(attachment.slice(2))).toEqual(evidence);
  const attached = createHash('sha256').update(attachment.slice(2)).digest('hex');
  expect(JSON.parse(entry.slice(65))).toMatchObject({ kind: 'Signed', attached, policyEpoch: 41 });
});

test('an order is malformed if it has too much evidence, a payload that is too long, or an unknown payload', () => {
  const made = order({ kind: 'Hash', digestHex: DIGEST });
  const long = { ...EVIDENCE, credentialIds: ['cred-1'], clientData: 'x'.repeat(8 * 1024) };
  const isOrder = (changes: object) => SignPayloadOrderShape.safeParse({ ...made, ...changes }).success;
  expect(isOrder({ evidence: Array(8).fill(long) })).toBe(true);
  expect(isOrder({ evidence: Array(16).fill(long) })).toBe(false);
  expect(isOrder({ evidence: Array(65).fill(EVIDENCE) })).toBe(false);
  expect(isOrder({ payload: { kind: 'Eip712', typedData: ' '.repeat(64 * 1024) } })).toBe(true);
  expect(isOrder({ payload: { kind: 'Eip712', typedData: `${' '.repeat(64 * 1024 - 2)}ééé` } })).toBe(false);
  expect(isOrder({ payload: { kind: 'Message', messageHex: `0x${'00'.repeat(32 * 1024 + 1)}` } })).toBe(false);
  expect(isOrder({ payload: { kind: 'Hash', digestHex: '0x00' } })).toBe(false);
  expect(isOrder({ payload: { kind: 'Snip12' } })).toBe(false);
});
