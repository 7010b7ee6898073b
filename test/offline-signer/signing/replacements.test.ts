import { signRequests } from '../../../offline-signer/signing/sign-requests';
import { createDevice, inputOf, outcomesOf, signaturesOf, type TestDevice, type Travelling, vouched } from './fleet';
import { coinPayment, evm, evmPayment, replacing, solanaPayment } from './payments';

let device: TestDevice;
beforeEach(() => {
  device = createDevice();
});
const signed = (...payments: readonly Travelling[]) => signRequests(inputOf(payments.map((one) => vouched(one))), device);
const run = async (...payments: readonly Travelling[]) => outcomesOf(await signed(...payments));
const usersOf = (claim: string | undefined) => (device.kept.get(claim ?? '') ?? []).map(({ requestId }) => requestId);

const own = evm.addressOf(evmPayment('x').key.publicKey);
const faster = { gas: 60_000n, maxFeePerGas: 900_000_000n, maxPriorityFeePerGas: 900_000_000n };

const REPLACEMENTS: readonly (readonly [string, Travelling, Travelling])[] = [
  ['an EVM payment, with another fee', evmPayment('a'), evmPayment('b', { fees: faster })],
  ['an EVM payment, by nothing to the sender', evmPayment('a'), evmPayment('b', { to: own, amountUnits: 0n })],
  ['a Bitcoin payment, with the same coins', coinPayment('a'), coinPayment('b', { feeUnits: 900n })],
  ['a Bitcoin payment, with one of its coins', coinPayment('a'), coinPayment('b', { spends: [1, 2] })],
  ['a Solana payment, with the same durable nonce', solanaPayment('a'), solanaPayment('b', { amountUnits: 5n })],
];

describe('a payment that the device has signed is replaced', () => {
  test.each(REPLACEMENTS)('%s', async (_name, first, second) => {
    expect(await run(first)).toEqual(['signed']);
    expect(await run(replacing('a', second))).toEqual(['signed']);
    const shared = second.claims.filter((claim) => first.claims.includes(claim));
    expect(shared.map(usersOf)).toEqual(shared.map(() => ['a', 'b']));
    expect(device.kept.get(shared[0] ?? '')?.map(({ replaces }) => replaces)).toEqual([undefined, 'a']);
  });

  test.each(REPLACEMENTS)('%s, but only by an order that says so', async (_name, first, second) => {
    expect(await run(first)).toEqual(['signed']);
    expect(await run(second)).toEqual(['ClaimTaken']);
    expect(usersOf(first.claims[0])).toEqual(['a']);
  });

  test('and the screen says so in words', async () => {
    await run(evmPayment('a'));
    await run(replacing('a', evmPayment('b', { fees: faster })));
    expect(device.shown.pages[0]?.join()).not.toMatch(/replaces/i);
    expect(device.shown.pages[1]).toEqual(
      expect.arrayContaining([
        'REPLACES a payment that this device has signed: request a',
        'Only one of the two payments can confirm.',
      ]),
    );
  });

  test('and the replacement is replaced in turn', async () => {
    const third = evmPayment('c', { amountUnits: 5n });
    expect(await run(evmPayment('a'))).toEqual(['signed']);
    expect(await run(replacing('a', evmPayment('b', { fees: faster })))).toEqual(['signed']);
    // The request `a` no longer holds the nonce.
    expect(await run(replacing('a', third))).toEqual(['ClaimTaken']);
    expect(await run(replacing('b', third))).toEqual(['signed']);
    expect(usersOf(third.claims[0])).toEqual(['a', 'b', 'c']);
  });

  test('and both are signed again, with the same signatures, while the replacement keeps the claim', async () => {
    const [first, second] = [evmPayment('a'), replacing('a', evmPayment('b', { fees: faster }))];
    const before = [signaturesOf(await signed(first), 'a'), signaturesOf(await signed(second), 'b')];
    expect([signaturesOf(await signed(first), 'a'), signaturesOf(await signed(second), 'b')]).toEqual(before);
    expect(usersOf(first.claims[0])).toEqual(['a', 'b']);
    expect(await run(replacing('a', evmPayment('c', { amountUnits: 5n })))).toEqual(['ClaimTaken']);
  });

  test('within one group, in the order of the group', async () => {
    const [first, second] = [evmPayment('a'), replacing('a', evmPayment('b', { fees: faster }))];
    expect(await run(first, second)).toEqual(['signed', 'signed']);
    device = createDevice();
    expect(await run(second, first)).toEqual(['signed', 'ClaimTaken']);
    expect(device.shown.pages[0]).toContainEqual('Replaces: request a, which this device has not signed');
  });
});

describe('a replacement is refused', () => {
  const amountUnits = 30_000n;
  beforeEach(async () => {
    const coins = [coinPayment('coins', { spends: [0], amountUnits }), coinPayment('other', { spends: [1], amountUnits })];
    expect(await run(evmPayment('a'), ...coins)).toEqual(['signed', 'signed', 'signed']);
  });

  test.each([
    ['if it names a request that this device has not signed', 'ClaimTaken', replacing('z', evmPayment('b', { amountUnits: 5n }))],
    ['if it names a request with another claim', 'ReplacesNothing', replacing('coins', evmPayment('b', { amountUnits: 5n }))],
    ['if it uses another nonce', 'ReplacesNothing', replacing('a', evmPayment('b', { nonce: 8 }))],
    ['if it spends other coins', 'ReplacesNothing', replacing('coins', coinPayment('b', { spends: [2], amountUnits }))],
    ['if it also takes a coin of a third request', 'ClaimTaken', replacing('coins', coinPayment('b', { spends: [0, 1] }))],
    ['if it is another payload of the same request', 'ClaimTaken', replacing('a', evmPayment('a', { amountUnits: 5n }))],
  ] as const)('%s', async (_name, code, replacement) => {
    const before = new Map(device.kept);
    expect(await run(replacement)).toEqual([code]);
    expect(device.kept).toEqual(before);
  });

  test('if it and an earlier replacement spend different coins of the payment, even though each spends one', async () => {
    expect(await run(coinPayment('both'))).toEqual(['ClaimTaken']);
    device = createDevice();
    expect(await run(coinPayment('both'))).toEqual(['signed']);
    expect(await run(replacing('both', coinPayment('b', { spends: [0, 2] })))).toEqual(['signed']);
    const other = coinPayment('c', { spends: [1], amountUnits });
    expect(await run(replacing('both', other))).toEqual(['ReplacesNothing']);
    expect(await run(replacing('b', other))).toEqual(['ReplacesNothing']);
    expect(await run(replacing('b', coinPayment('c', { feeUnits: 900n })))).toEqual(['ClaimTaken']);
    expect(await run(replacing('b', coinPayment('c', { spends: [0], amountUnits })))).toEqual(['signed']);
  });

  test('if a replacement of the same request spends other coins, even though the request itself was never signed here', async () => {
    device = createDevice();
    expect(await run(replacing('both', coinPayment('b', { spends: [0], amountUnits })))).toEqual(['signed']);
    expect(await run(replacing('both', coinPayment('c', { spends: [1], amountUnits })))).toEqual(['ReplacesNothing']);
    // An old archive with the request itself, which spends both coins.
    expect(await run(coinPayment('both'))).toEqual(['ClaimTaken']);
  });

  test('unless it is a payment of its own, which spends a coin that a dead payment has left', async () => {
    device = createDevice();
    const left = (requestId: string, spends: readonly number[]) => {
      const { order, ...payment } = replacing('dead', coinPayment(requestId, { spends, amountUnits }));
      return { ...payment, order: { ...order, takesLeft: true } };
    };
    expect(await run(coinPayment('dead'))).toEqual(['signed']);
    expect(await run(replacing('dead', coinPayment('r', { spends: [0], amountUnits })))).toEqual(['signed']);
    expect(await run(left('c', [1]), left('d', [2]))).toEqual(['signed', 'ReplacesNothing']);
    expect(await run(replacing('c', coinPayment('e', { spends: [1], amountUnits: 29_000n })))).toEqual(['signed']);
  });

  test('before the operator is asked, if it shares no claim', async () => {
    const asked = device.shown.questions.length;
    await run(replacing('a', evmPayment('b', { nonce: 8 })));
    expect(device.shown.questions).toHaveLength(asked);
  });
});

test('an intent has one payload, also for a replacement', async () => {
  const order = { intentId: 'transfer:rent' };
  expect(await run(evmPayment('a', { order }))).toEqual(['signed']);
  expect(await run(replacing('a', evmPayment('b', { order, amountUnits: 5n })))).toEqual(['ClaimTaken']);
});

test('after a loss of power between two claims, only the same replacement is signed', async () => {
  const [first, second] = [coinPayment('a'), replacing('a', coinPayment('b', { spends: [0, 1, 2], feeUnits: 900n }))];
  expect(await run(first)).toEqual(['signed']);
  const { claims } = device;
  let left = 2;
  const stopping: TestDevice = {
    ...device,
    claims: {
      ...claims,
      record(claim) {
        if (left === 0) throw new Error('the power is gone');
        left -= 1;
        claims.record(claim);
      },
    },
  };
  await expect(signRequests(inputOf([vouched(second)]), stopping)).rejects.toThrow('the power is gone');
  expect(first.claims.map(usersOf)).toEqual([['a', 'b'], ['a']]);
  expect(await run(replacing('a', coinPayment('c', { feeUnits: 800n })))).toEqual(['ClaimTaken']);
  expect(await run(second)).toEqual(['signed']);
  expect(second.claims.map(usersOf)).toEqual([['a', 'b'], ['a', 'b'], ['b']]);
});
