import { signRequests } from '../../../offline-signer/signing/sign-requests';
import { canonical } from '../../../platform/canonical';
import type { SignRequest } from '../../../platform/fleets/inputs';
import { createDevice, identityOf, inputOf, keyOf, outcomesOf, signaturesOf, signer, type Travelling, vouched } from './fleet';
import { coinPayment, coins, evmPayment, payloadOf, solanaPayment, TO } from './payments';

const run = async (requests: readonly SignRequest[], device = createDevice()) =>
  outcomesOf(await signRequests(inputOf(requests), device));

/** Bytes that do something else than the approved intent. The signer has vouched for them by mistake. */
const OTHER_BYTES: readonly (readonly [string, string, () => Travelling])[] = [
  ['another recipient (EVM)', 'RecipientMismatch', () => evmPayment('x', { built: { to: `0x${'11'.repeat(20)}` } })],
  ['another amount (EVM)', 'AmountMismatch', () => evmPayment('x', { built: { amountUnits: 2n } })],
  ['a token in place of the coin', 'AssetMismatch', () => evmPayment('x', { built: { asset: { kind: 'Erc20', contract: TO } } })],
  [
    'a higher fee (EVM)',
    'FeeAboveApproved',
    () => evmPayment('x', { fees: { gas: 60_001n, maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n } }),
  ],
  ['another nonce', 'NonceMismatch', () => evmPayment('x', { order: { nonce: 8 } })],
  ['another chain', 'ChainIdMismatch', () => evmPayment('x', { order: { chainId: 1 } })],
  ['an unknown network', 'UnknownNetwork', () => evmPayment('x', { order: { network: 'Atlantis' } })],
  [
    'another sender',
    'SenderMismatch',
    () => ({ ...evmPayment('x', { order: { publicKeyHex: keyOf('secp256k1', 1).publicKey } }), key: keyOf('secp256k1', 1) }),
  ],
  [
    'another recipient (Bitcoin)',
    'RecipientMismatch',
    () => coinPayment('x', { built: { to: coins.addressOf(keyOf('secp256k1', 1).publicKey) } }),
  ],
  ['another amount (Bitcoin)', 'AmountMismatch', () => coinPayment('x', { built: { amountUnits: 60_000n } })],
  ['a higher fee (Bitcoin)', 'FeeAboveApproved', () => coinPayment('x', { feeUnits: 1_001n })],
  [
    'another recipient (Solana)',
    'RecipientMismatch',
    () => solanaPayment('x', { built: { to: 'GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse' } }),
  ],
  ['another amount (Solana)', 'AmountMismatch', () => solanaPayment('x', { built: { amountUnits: 1_001n } })],
  ['a blockhash in place of a durable nonce', 'NonceNotDurable', () => solanaPayment('x', { isDurable: false })],
];

describe('the device judges the bytes itself', () => {
  test.each(OTHER_BYTES)('and refuses %s', async (_name, code, make) => {
    const device = createDevice();
    expect(await run([vouched(make())], device)).toEqual([code]);
    expect(device.kept.size).toBe(0);
  });
});

test('an amount that the bytes hide, and a nonce that does not end other payments, are not for a device', async () => {
  const encrypted = { handle: `0x${'ab'.repeat(21)}000000000000aa36a70500`, inputProof: `0x0101${'cd'.repeat(97)}` };
  const asset = { kind: 'Erc7984', contract: TO } as const;
  expect(await run([vouched(evmPayment('xfr-1', { asset, built: { encrypted }, order: { encrypted } }))])).toEqual([
    'AmountHidden',
  ]);
  const ofTempo = { network: 'TempoModerato', asset: { kind: 'Erc20', contract: TO } } as const;
  const payments = [evmPayment('xfr-2', ofTempo), evmPayment('xfr-3', { ...ofTempo, order: { nonceKey: '0' } })];
  expect(await run(payments.map((one) => vouched(one)))).toEqual(['NotOffline', 'NotOffline']);
  // Elsewhere key 0 is the account's own sequence, and there is no other key.
  expect(await run([vouched(evmPayment('xfr-4', { order: { nonceKey: '0' } }))])).toEqual(['signed']);
  expect(await run([vouched(evmPayment('xfr-5', { order: { nonceKey: '1' } }))])).toEqual(['NonceMismatch']);
});

describe('the vouch must be for exactly this request', () => {
  const honest = () => vouched(evmPayment('xfr-1'));
  const PLACES = [
    ['another group', { groupId: 'fg-2' }],
    ['another store', { storeId: 'ks-other' }],
    ['another organisation', { orgId: 'or-other' }],
    ['another signer', { signerId: 'sgn-other' }],
    ['another request', { requestId: 'xfr-2' }],
    ['another kind of order', { op: 'vouchUtxo' }],
    ['another key id', { keyId: 'key-2' }],
    ['another public key', { publicKey: keyOf('secp256k1', 1).publicKey }],
    ['another order', { orderDigest: '0'.repeat(64) }],
    ['another payload', { payloadDigest: '0'.repeat(64) }],
    ['no claims', { claims: [] }],
    ['further claims', { claims: [...evmPayment('xfr-1').claims, 'another claim'] }],
  ] as const;
  test.each(PLACES)('not for %s', async (_name, changes) => {
    expect(await run([vouched(evmPayment('xfr-1'), changes as never)])).toEqual(['VouchMismatch']);
  });

  test('the honest request is signed', async () => {
    expect(await run([honest()])).toEqual(['signed']);
  });

  test('and signed by the pinned signer', async () => {
    const { vouched: given, ...request } = honest();
    const stranger = identityOf('stranger').state('vouch', JSON.parse(given.vouch));
    const wrongType = signer.state('input', JSON.parse(given.vouch));
    const forged = { by: signer.publicKey, signature: stranger.signature };
    for (const signed of [stranger, wrongType, forged])
      expect(await run([{ ...request, vouched: { ...given, signed } }])).toEqual(['VouchInvalid']);
    const edited = given.vouch.replace('"groupId":"fg-1"', '"groupId":"fg-1" ');
    expect(await run([{ ...request, vouched: { ...given, vouch: edited } }])).toEqual(['VouchInvalid']);
  });

  test('so the order of one request is not signed as another request', async () => {
    const [one, two] = [honest(), vouched(evmPayment('xfr-2', { nonce: 8 }))];
    const swapped = [
      { ...one, order: two.order },
      { ...two, order: one.order },
    ];
    expect(await run(swapped)).toEqual(['VouchMismatch', 'VouchMismatch']);
  });

  test('and an order that the service changed after the vouch is refused', async () => {
    const request = honest();
    const order = canonical({ ...JSON.parse(request.order), feeCeilingUnits: '1' });
    expect(await run([{ ...request, order }])).toEqual(['VouchMismatch']);
  });

  test.each(['{"a":1}', '', 'null', '[]', `{"a":${'['.repeat(40)}`])('an order that is %s is refused', async (order) => {
    expect(await run([{ ...honest(), order }])).toEqual(['OrderMalformed']);
  });

  test('an order with other spaces is refused', async () => {
    const request = honest();
    expect(await run([{ ...request, order: `${request.order} ` }])).toEqual(['OrderMalformed']);
  });
});

describe('the key must be the key of the device', () => {
  test.each([
    ['at another index', { ...keyOf('secp256k1', 0), index: 1 }],
    ['of another index than the order', keyOf('secp256k1', 1)],
  ])('not one %s', async (_name, key) => {
    const code = (await run([{ ...vouched(evmPayment('xfr-1')), key }]))[0];
    expect(['KeyMismatch', 'VouchMismatch']).toContain(code);
  });
});

test('no approved group has the key beyond the range of the manifest', async () => {
  expect(await run([vouched(evmPayment('xfr-1', { index: 3 }))])).toEqual(['signed']);
  expect(await run([vouched(evmPayment('xfr-1', { index: 4 }))])).toEqual(['KeyMismatch']);
});

describe('two payloads never share a claim', () => {
  test('a second payload for the same nonce, coins or durable nonce is refused for ever', async () => {
    const device = createDevice();
    const first = [evmPayment('xfr-1'), coinPayment('xfr-2'), solanaPayment('xfr-3')];
    expect(
      await run(
        first.map((one) => vouched(one)),
        device,
      ),
    ).toEqual(['signed', 'signed', 'signed']);
    const second = [
      evmPayment('xfr-4', { amountUnits: 5n }),
      coinPayment('xfr-5', { amountUnits: 60_000n }),
      solanaPayment('xfr-6', { amountUnits: 5n }),
    ];
    expect(
      await run(
        second.map((one) => vouched(one)),
        device,
      ),
    ).toEqual(['ClaimTaken', 'ClaimTaken', 'ClaimTaken']);
    expect(
      await run(
        second.map((one) => vouched(one)),
        createDevice({ claims: device.kept }),
      ),
    ).toEqual(Array(3).fill('ClaimTaken'));
  });

  test('nor within one group', async () => {
    expect(await run([vouched(evmPayment('xfr-1')), vouched(evmPayment('xfr-2', { amountUnits: 5n }))])).toEqual([
      'signed',
      'ClaimTaken',
    ]);
  });

  test('nor a request, with another nonce', async () => {
    const device = createDevice();
    expect(await run([vouched(evmPayment('xfr-1'))], device)).toEqual(['signed']);
    expect(await run([vouched(evmPayment('xfr-1', { nonce: 8 }))], device)).toEqual(['ClaimTaken']);
  });

  test('nor an intent, with another request and nonce', async () => {
    const device = createDevice();
    const order = { intentId: 'transfer:rent' };
    expect(await run([vouched(evmPayment('xfr-1', { order }))], device)).toEqual(['signed']);
    expect(await run([vouched(evmPayment('xfr-2', { nonce: 8, order }))], device)).toEqual(['ClaimTaken']);
  });

  test('the same payload gets the same signatures again', async () => {
    const device = createDevice();
    const again = async () => signaturesOf(await signRequests(inputOf([vouched(coinPayment('xfr-1'))]), device), 'xfr-1');
    expect(await again()).toEqual(await again());
  });

  test('the claims are kept before the key signs', async () => {
    const device = createDevice();
    await run([vouched(evmPayment('xfr-1'))], device);
    expect(device.order.map((one) => one.split(' ')[0])).toEqual(['derive', 'claim', 'claim', 'claim', 'derive']);
  });
});

describe('a message that is a transaction is refused', () => {
  const { bytesHex: evmBytes } = evmPayment('x').order as never as { bytesHex: string };
  const { bytesHex: solanaBytes } = solanaPayment('x').order as never as { bytesHex: string };
  test.each([
    ['of an EVM network', { kind: 'Eip191', messageHex: evmBytes }, 'ECDSA', 'MessageIsTransaction'],
    ['of Solana', { kind: 'Message', messageHex: solanaBytes }, 'EdDSA', 'MessageIsTransaction'],
    ['a bare hash', { kind: 'Hash', digestHex: `0x${'11'.repeat(32)}` }, 'ECDSA', 'NotOffline'],
    ['bytes without the off-chain prefix', { kind: 'Message', messageHex: '0x616263' }, 'EdDSA', 'NotOffline'],
  ] as const)('%s', async (_name, payload, scheme, code) => {
    expect(await run([vouched(payloadOf('sig-1', scheme, payload))])).toEqual([code]);
  });
});

test('requests or operations that appear twice are refused as a whole', async () => {
  const one = vouched(evmPayment('xfr-1'));
  await expect(run([one, one])).rejects.toThrow('canonical order');
});
