import { SignatureBody } from '../../../../application/bodies/signatures';
import { evmCodecOf, solanaCodecOf } from '../../../../chains/codecs';
import type { NetworkName } from '../../../../domain/networks';
import { messageOf, SYSTEM, wireOf } from '../../../chains/solana/messages';
import vectors from '../../../chains/solana/vectors.json';
import { psbtFor } from '../../../chains/utxo/psbts';
import { authorization, CALLS, operationMessage, smartAccountBody } from '../../../support/smart-account';
import { answerTo, freePlaces, isRefused } from './changes';
import { bytesWithNonce, ownAuthorization } from './evm/evm-orders';
import { ECDSA_KEY, EDDSA_KEY, payloadOrder, SCHNORR_KEY } from './payload-orders';

const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SEPOLIA = 'EthereumSepolia';
const EVM = evmCodecOf(SEPOLIA).addressOf(ECDSA_KEY.publicKey);
const SOLANA = solanaCodecOf('SolanaDevnet').addressOf(EDDSA_KEY.publicKey);
const hash = 'aB'.repeat(32);
const prices = { maxFeePerGas: '3000000000', maxPriorityFeePerGas: '1000000000' };

const typedData = {
  types: {
    Mail: [
      { name: 'from', type: 'Person[2]' },
      { name: 'contents', type: 'string' },
      { name: 'fee', type: 'uint64' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
  },
  domain: { name: 'Mail', version: '1', chainId: 11_155_111, verifyingContract: TO, salt: `0x${'5a'.repeat(32)}` },
  message: {
    from: [
      { name: 'A', wallet: TO.toLowerCase() },
      { name: 'B', wallet: EVM },
    ],
    contents: 'Hello',
    fee: 7,
  },
};
const described = { ...typedData, types: { EIP712Domain: [{ name: 'name', type: 'string' }], ...typedData.types } };

const move = { program: SYSTEM, accounts: [vectors.recipient, SOLANA], data: '02000000e803000000000000' };
const message = messageOf({ signers: [vectors.recipient, SOLANA], instructions: [move] });
const solana = { kind: 'Transaction', network: 'SolanaDevnet', externalId: 's-1' };

type Sample = readonly [string, typeof ECDSA_KEY, Readonly<Record<string, unknown>>, NetworkName?];
const SAMPLES: readonly Sample[] = [
  ['a hash', ECDSA_KEY, { kind: 'Hash', hash, externalId: 's-1', blockchainKind: 'Evm' }],
  ['a hash for Taproot', SCHNORR_KEY, { kind: 'Hash', hash: `0x${hash}`, taprootMerkleRoot: '' }],
  ['a hash for a tree', SCHNORR_KEY, { kind: 'Hash', hash, taprootMerkleRoot: hash }],
  ['a message', ECDSA_KEY, { kind: 'Message', message: '0xAB12', network: SEPOLIA }],
  ['a message of EdDSA', EDDSA_KEY, { kind: 'Message', message: 'ab12cd', externalId: 's-1' }],
  ['a personal message', ECDSA_KEY, { kind: 'Eip191', message: 'Grüezi', externalId: 's-1' }, SEPOLIA],
  ['personal bytes', ECDSA_KEY, { kind: 'Eip191', message: '0xAB12' }],
  ['typed data', ECDSA_KEY, { kind: 'Eip712', ...typedData, network: SEPOLIA, externalId: 's-1' }],
  ['typed data without a chain', ECDSA_KEY, { kind: 'Eip712', ...described, domain: { name: 'Mail' } }],
  ['an authorization', ECDSA_KEY, { kind: 'Eip7702', address: TO.slice(2), nonce: 3, chainId: 11_155_111, externalId: 's-1' }],
  ['an open transaction', ECDSA_KEY, { kind: 'Transaction', transaction: { chainId: '11155111', to: TO, value: 5 } }],
  ['an open price', ECDSA_KEY, { kind: 'Transaction', transaction: { from: EVM, to: TO, gasLimit: 50_000, nonce: 7 } }, SEPOLIA],
  [
    'a whole transaction',
    ECDSA_KEY,
    { kind: 'Transaction', network: SEPOLIA, transaction: { to: TO, data: '0xABCD', nonce: 0, gasLimit: '0xc350', ...prices } },
  ],
  [
    'an authorization of its own',
    ECDSA_KEY,
    { kind: 'Transaction', network: SEPOLIA, transaction: { type: 4, to: TO, authorizationList: [ownAuthorization(9)] } },
  ],
  ['a partly signed transaction', EDDSA_KEY, { ...solana, transaction: wireOf(message, [null, null]).toString('hex') }],
  ['a message of Solana', EDDSA_KEY, { ...solana, transaction: `0x${message.toString('hex')}` }],
  ['a PSBT', ECDSA_KEY, { kind: 'Psbt', psbt: psbtFor('BitcoinTestnet4', ECDSA_KEY.publicKey), network: 'BitcoinTestnet4' }],
  ['a proof', ECDSA_KEY, { kind: 'Bip322', message: 'ab12', network: 'BitcoinSignet', format: 'Full', externalId: 's-1' }],
  ['a simple proof', SCHNORR_KEY, { kind: 'Bip322', message: '', network: 'BitcoinSignet' }],
  ['calls of an account', ECDSA_KEY, { ...smartAccountBody(EVM, CALLS, { authorization }), network: SEPOLIA, signatures: {} }],
  ['an operation', ECDSA_KEY, smartAccountBody(EVM, CALLS, { message: operationMessage(EVM, CALLS) })],
];

/** Members that may change: the key rows, the clock, and members that only narrow or describe the request. */
const FREE =
  /^(order\.(dek|evidence|policyEpoch|issuedAt|notAfter|keyId|orgId|requestId|sealed)|body\.(blockchainKind|transactionReference))/;
/** These members may be omitted. The service fills them in, or the content shows the value, for example the network. */
const DROPPED =
  /^body\.(network|signatures|types\.EIP712Domain|transaction\.(nonce|gasLimit|maxFeePerGas|maxPriorityFeePerGas|from|chainId)) dropped$/;
/** Whether the content is the same on every network. */
const ofNoNetwork = ({ kind, domain }: { readonly kind?: unknown; readonly domain?: unknown }) =>
  kind === 'Hash' ||
  kind === 'Message' ||
  kind === 'Eip191' ||
  (kind === 'Eip712' && !JSON.stringify(domain).includes('chainId'));

const sampleOf = ([, key, body, network]: Sample) => ({
  op: 'signPayload' as const,
  order: payloadOrder(key, body, network),
  cause: network === undefined ? ('keysGenerateSignature' as const) : ('walletsGenerateSignature' as const),
  body,
});

function sampleNamed(name: string): Sample {
  const sample = SAMPLES.find(([what]) => what === name);
  if (!sample) throw new Error(`no sample is named ${name}`);
  return sample;
}

test.each(SAMPLES.map((sample) => [sample[0], sample] as const))(
  '%s: the worker’s order is accepted, and every changed member is refused',
  (what, sample) => {
    const asked = sampleOf(sample);
    const { body } = asked;
    expect(answerTo(asked)).toEqual({ feeSponsorId: null });
    // Other parties' signatures precede the message that the key signs.
    const isPartly = what === 'a partly signed transaction';
    const free = (path: string) =>
      FREE.test(path) ||
      DROPPED.test(path) ||
      (path === 'body.network' && ofNoNetwork(body)) ||
      (path === 'body.transaction' && isPartly);
    expect(freePlaces(asked).filter((path) => !free(path))).toEqual([]);
  },
);

test('a Solana transaction without places for signatures is refused', () => {
  const asked = sampleOf(['', EDDSA_KEY, { ...solana, transaction: message.toString('hex') }]);
  const refused = (signatures: readonly null[]) =>
    isRefused({ ...asked, body: { ...asked.body, transaction: wireOf(message, signatures).toString('hex') } });
  expect(refused([null, null])).toBe(false);
  expect(refused([])).toBe(true);
});

test('this file has a body for every kind of signature', () => {
  const kinds = SignatureBody.options.map(({ shape }) => shape.kind.value);
  expect([...new Set(SAMPLES.map(([, , body]) => body['kind']))].sort()).toEqual([...kinds].sort());
});

test('no body permits the content of another body', () => {
  const all = SAMPLES.map(sampleOf);
  for (const [index, { order, ...asked }] of all.entries())
    for (const [other, { body }] of all.entries()) {
      const { payload, intentId } = order;
      const named = { ...body, externalId: intentId?.replace('signature:', '') };
      // Two samples request a signature over the same message. One of the two is a transaction without its signatures.
      const isSame = index === other || JSON.stringify(all[other]?.order.payload) === JSON.stringify(payload);
      expect([index, other, isRefused({ ...asked, order, body: named })]).toEqual([index, other, !isSame]);
    }
});

const BYTES: readonly (readonly [NetworkName, object])[] = [
  [SEPOLIA, { to: TO, nonce: 0, gasLimit: 50_000, ...prices }],
  [SEPOLIA, { type: 0, to: TO, nonce: 5, gasLimit: 50_000, gasPrice: 7 }],
  [
    'CeloAlfajores',
    { type: 123, to: TO, nonce: 5, gasLimit: 50_000, ...prices, feeCurrency: '0x874069Fa1Eb16D44d622F2e0Ca25eeA172369bC1' },
  ],
  ['TempoModerato', { type: 118, to: TO, nonce: 5, gasLimit: 50_000, ...prices, nonceKey: 2 }],
];

test.each(BYTES)('%s: unsigned bytes are signed unchanged', (network, transaction) => {
  const whole = sampleOf(['members', ECDSA_KEY, { kind: 'Transaction', transaction, network }]);
  const { payload } = whole.order;
  if (payload.kind !== 'EvmTransaction') throw new Error('a transaction of an EVM network');
  const digits = payload.bytesHex.slice(2);
  for (const text of [payload.bytesHex, digits, digits.toUpperCase()]) {
    const asked = sampleOf(['bytes', ECDSA_KEY, { kind: 'Transaction', transaction: text }]);
    expect(asked.order.payload).toEqual(payload);
    expect(freePlaces(asked).filter((path) => !FREE.test(path))).toEqual([]);
  }
});

test('a nonce that the decoder would round is refused', () => {
  const refused = (asking: bigint, ordered: bigint) => {
    const transaction = { to: TO, gasLimit: 50_000, nonce: String(asking), ...prices };
    const body = { kind: 'Transaction', network: SEPOLIA, transaction };
    const asked = sampleOf(['', ECDSA_KEY, { ...body, transaction: { ...transaction, nonce: 0 } }]);
    const payload = { kind: 'EvmTransaction' as const, bytesHex: bytesWithNonce(ordered) };
    return isRefused({ ...asked, body, order: { ...asked.order, payload } });
  };
  expect(refused(2n ** 53n - 1n, 2n ** 53n - 1n)).toBe(false);
  expect(refused(2n ** 53n, 2n ** 53n + 1n)).toBe(true);
});

test('without a nonce in the body any nonce is accepted, and without a price any price is accepted', () => {
  const [, key, body] = sampleNamed('an open transaction');
  const asked = sampleOf(['', key, body]);
  const dearer = sampleOf([
    '',
    key,
    { ...body, transaction: { ...(body['transaction'] as object), nonce: 77, gasLimit: 99_000, ...prices } },
  ]);
  expect(isRefused({ ...asked, order: dearer.order })).toBe(false);
  expect(isRefused({ ...dearer, order: asked.order })).toBe(true);
});

test.each([
  ['a PSBT', 'BitcoinTestnet4'],
  ['a simple proof', 'BitcoinSignet'],
  ['a message of Solana', 'SolanaDevnet'],
  ['a whole transaction', SEPOLIA],
] as const)('%s must specify its network, unless the request is for a wallet, which already has a network', (what, network) => {
  const [, key, body] = sampleNamed(what);
  const { network: _named, ...unnamed } = body;
  const ofWallet = sampleOf(['', key, unnamed, network]);
  expect(answerTo(ofWallet)).toEqual({ feeSponsorId: null });
  expect(isRefused({ ...ofWallet, cause: 'keysGenerateSignature' })).toBe(true);
  const ofKey = sampleOf(['', key, body]);
  expect(answerTo(ofKey)).toEqual({ feeSponsorId: null });
  for (const other of ['EthereumHolesky', 'BitcoinTestnet3', 'KeyEdDSA'])
    expect([other, isRefused({ ...ofKey, body: { ...body, network: other } })]).toEqual([other, true]);
});

test('a request for a wallet does not permit calls of a smart account', () => {
  const [, key, body] = sampleNamed('an operation');
  const asked = sampleOf(['', key, body]);
  expect(isRefused({ ...asked, cause: 'walletsGenerateSignature' })).toBe(true);
  expect(isRefused({ ...asked, cause: 'broadcastTransaction' })).toBe(true);
});

test.each<[string, (text: Record<'types' | 'primaryType' | 'domain' | 'message', unknown>) => object]>([
  ['a different primary type', (text) => ({ ...text, primaryType: 'Person' })],
  ['no primary type', ({ primaryType: _gone, ...text }) => text],
  ['an additional type', (text) => ({ ...text, types: { ...(text.types as object), Other: [] } })],
  ['a different domain', (text) => ({ ...text, domain: { ...(text.domain as object), name: 'Other' } })],
  ['an additional member', (text) => ({ ...text, message: { ...(text.message as object), more: 1 } })],
  ['a member twice', (text) => text],
])('typed data with %s', (what, change) => {
  const asked = sampleOf(['', ECDSA_KEY, { kind: 'Eip712', ...typedData }]);
  const { payload } = asked.order;
  if (payload.kind !== 'Eip712') throw new Error('typed data');
  const changed = JSON.stringify(change(JSON.parse(payload.typedData)));
  const text = what === 'a member twice' ? changed.replace('{', '{"primaryType":"Person",') : changed;
  const order = { ...asked.order, payload: { ...payload, typedData: text } };
  // Without a primary type the digest is the same, because the primary type can be inferred: it is the only type to which no
  // other type refers.
  expect(isRefused({ ...asked, order })).toBe(what !== 'no primary type');
});

test('typed data with a different type but the same members is refused', () => {
  const fields = [
    { name: 'units', type: 'uint256' },
    { name: 'more', type: 'Part[]' },
  ];
  const alike = { types: { Whole: fields, Part: fields }, domain: typedData.domain, message: { units: '1', more: [] } };
  const asked = sampleOf(['', ECDSA_KEY, { kind: 'Eip712', ...alike }]);
  const { payload } = asked.order;
  if (payload.kind !== 'Eip712') throw new Error('typed data');
  const typed = payload.typedData.replace('"primaryType":"Whole"', '"primaryType":"Part"');
  expect(typed).not.toBe(payload.typedData);
  expect(isRefused(asked)).toBe(false);
  expect(isRefused({ ...asked, order: { ...asked.order, payload: { ...payload, typedData: typed } } })).toBe(true);
});

test.each(['abcd', '0xabc', '0x12zz', 'text'])('the personal message %s is read as the service reads it', (text) => {
  const isHex = /^(0x)?[0-9a-f]+$/.test(text);
  const body = { kind: 'Eip191', message: text };
  const order = payloadOrder(ECDSA_KEY, { kind: 'Eip191', message: isHex ? `0x${Buffer.from(text).toString('hex')}` : text });
  expect(isRefused({ op: 'signPayload', order, cause: 'keysGenerateSignature', body })).toBe(isHex);
});
