import { signRequests } from '../../../offline-signer/signing/sign-requests';
import { createDevice, inputOf, outcomesOf, type TestDevice, type Travelling, vouched } from './fleet';
import { asked, charter } from './office';
import { coinPayment, evm, evmPayment, replacing } from './payments';

let device: TestDevice;
beforeEach(() => {
  device = createDevice({ charter: charter() });
});
const run = async (...payments: readonly Travelling[]) =>
  outcomesOf(await signRequests(inputOf(payments.map((one) => vouched(one))), device));

const faster = { gas: 60_000n, maxFeePerGas: 900_000_000n, maxPriorityFeePerGas: 900_000_000n };
const own = evm.addressOf(evmPayment('x').key.publicKey);
const higher = { feeCeilingUnits: '60000000000001' };

describe('under a charter, no person asks a second time', () => {
  beforeEach(async () => {
    expect(await run(asked(evmPayment('a')))).toEqual(['signed']);
  });

  test('for the same payment with another fee', async () => {
    expect(await run(replacing('a', evmPayment('b', { fees: faster })))).toEqual(['signed']);
    expect(device.shown.pages[1]).toContainEqual(
      'Charter 3: the order repeats a payment that this device has signed, so no person had to ask for it.',
    );
    expect(await run(replacing('b', evmPayment('c', { fees: { ...faster, gas: 59_000n } })))).toEqual(['signed']);
  });

  test('for a transaction that moves nothing', async () => {
    expect(await run(replacing('a', evmPayment('b', { to: own, amountUnits: 0n })))).toEqual(['signed']);
  });

  test.each([
    ['with another amount', evmPayment('b', { amountUnits: 5n })],
    ['with a higher ceiling for the fee', evmPayment('b', { fees: faster, order: higher })],
    ['with another nonce', evmPayment('b', { nonce: 8 })],
  ])('but people ask for a payment %s', async (_name, payment) => {
    expect(await run(replacing('a', payment))).toEqual(['InitiatorMissing']);
    expect(device.kept.get(`request ${payment.order['orgId']} b`)).toBeUndefined();
  });

  test('but people ask for a payment that replaces nothing, or a request of another device', async () => {
    const again = evmPayment('b', { fees: faster });
    expect(await run(again)).toEqual(['InitiatorMissing']);
    expect(await run(replacing('z', again))).toEqual(['InitiatorMissing']);
  });
});

test('a Bitcoin payment is repeated without a person only with all of its coins', async () => {
  const { kept } = device;
  device = createDevice({ claims: kept });
  expect(await run(coinPayment('a'))).toEqual(['signed']);
  device = createDevice({ claims: kept, charter: charter() });
  expect(await run(replacing('a', coinPayment('b', { spends: [1, 2] })))).toEqual(['InitiatorMissing']);
  expect(await run(replacing('a', coinPayment('b', { spends: [0, 1, 2] })))).toEqual(['signed']);
});
