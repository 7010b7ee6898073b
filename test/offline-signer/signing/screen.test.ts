import type { DeviceRules } from '../../../offline-signer/signing/rules';
import { signRequests } from '../../../offline-signer/signing/sign-requests';
import { SignOutputJson } from '../../../platform/fleets/outputs';
import { createDevice, inputOf, outcomesOf, vouched } from './fleet';
import { coinPayment, evmPayment, payloadOf, solanaPayment, USDC } from './payments';

const AT_ONCE: DeviceRules = {
  ...{ v: 1, requireCharter: false, confirmAllAtOnce: true, messages: true },
  networks: { EthereumSepolia: {}, BitcoinSignet: {}, SolanaDevnet: {} },
};
const payments = () => [evmPayment('xfr-1'), coinPayment('xfr-2'), solanaPayment('xfr-3')].map((one) => vouched(one));

test('a page names network, recipient in fours, amount, fee, nonce and people', async () => {
  const device = createDevice();
  await signRequests(inputOf([vouched(evmPayment('xfr-1'))]), device);
  expect(device.shown.pages[0]).toEqual([
    'Request 1 of 1',
    'Operation fo-xfr-1, request xfr-1',
    'Network: EthereumSepolia (test network)',
    expect.stringMatching(/^From: 0x( [0-9a-fA-F]{4}){10} \(key secp256k1 0\)$/),
    'To: 0x 5aAe b605 3F3E 94C9 b9A0 9f33 6694 35E7 Ef1B eAed',
    'Amount: 0.000001 ETH',
    'Fee at most: 0.00006 ETH',
    'Nonce: 7',
    'No charter: only the signer vouches for what people approved.',
  ]);
});

test('a known token is shown with its decimals, an unknown token in raw units with its contract', async () => {
  const device = createDevice();
  const unknown = `0x${'12'.repeat(20)}`;
  const of = (requestId: string, contract: string, nonce: number) =>
    vouched(evmPayment(requestId, { nonce, amountUnits: 1_500_000n, asset: { kind: 'Erc20', contract } }));
  await signRequests(inputOf([of('a', USDC, 1), of('b', unknown, 2)]), device);
  expect(device.shown.pages[0]).toContainEqual(`Amount: 1.5 USDC (${USDC})`);
  expect(device.shown.pages[1]).toContainEqual(
    `Amount: 1500000 smallest units of the token ${unknown} (unknown to this program)`,
  );
});

test('coins and durable nonces are named', async () => {
  const device = createDevice();
  await signRequests(inputOf([vouched(coinPayment('a')), vouched(solanaPayment('b'))]), device);
  expect(device.shown.pages[0]?.filter((line) => line.startsWith('Spends the coin'))).toHaveLength(2);
  expect(device.shown.pages[1]).toContainEqual(expect.stringMatching(/^Durable nonce: \w+, value \w+$/));
});

test('a message is shown whole, without characters that could move the text', async () => {
  const device = createDevice();
  const text = `line one\n\u001b[2Jline two ${'x'.repeat(120)}`;
  const payload = { kind: 'Eip191', messageHex: `0x${Buffer.from(text).toString('hex')}` };
  await signRequests(inputOf([vouched(payloadOf('m', 'ECDSA', payload))]), device);
  const lines = device.shown.pages[0] ?? [];
  expect(lines).toContain('| line one');
  expect(lines.join('')).toContain('| \\u{1b}[2Jline two');
  expect(lines.join('').match(/x{2,}/g)?.join('')).toHaveLength(120);
});

test('no line of a message looks like a line of the program', async () => {
  const device = createDevice();
  const text = 'Approved by: us-ben, us-cyd\r\nAmount: 1 ETH\n\u2028To: 0x 1234';
  const payload = { kind: 'Eip191', messageHex: `0x${Buffer.from(text).toString('hex')}` };
  await signRequests(inputOf([vouched(payloadOf('m', 'ECDSA', payload))]), device);
  const lines = device.shown.pages[0] ?? [];
  expect(lines.filter((line) => /^(?:Approved by|Amount|To):/.test(line))).toEqual([]);
  expect(lines.filter((line) => line.startsWith('| '))).toHaveLength(3);
});

describe('the operator', () => {
  test('confirms each request, and a declined request is not signed', async () => {
    const device = createDevice({ accepts: (question) => !question.includes('2 of 3') });
    const output = await signRequests(inputOf(payments()), device);
    expect(outcomesOf(output)).toEqual(['signed', 'OperatorDeclined', 'signed']);
    expect(device.shown.questions).toHaveLength(3);
    expect([...device.kept.keys()].some((claim) => claim.includes('xfr-2'))).toBe(false);
  });

  test('confirms all at once only if the rules allow it, after every page', async () => {
    const device = createDevice({ rules: AT_ONCE });
    expect(outcomesOf(await signRequests(inputOf(payments()), device))).toEqual(Array(3).fill('signed'));
    expect([device.shown.questions, device.shown.pages.length]).toEqual([['Sign all 3 requests that were shown?'], 3]);
    const declining = createDevice({ rules: AT_ONCE, accepts: () => false });
    const output = await signRequests(inputOf(payments()), declining);
    expect([outcomesOf(output), declining.kept.size]).toEqual([Array(3).fill('OperatorDeclined'), 0]);
  });

  test('confirms a single request as such, even if the rules allow all at once', async () => {
    const device = createDevice({ rules: AT_ONCE });
    await signRequests(inputOf([vouched(evmPayment('xfr-1'))]), device);
    expect(device.shown.questions).toEqual(['Sign request 1 of 1?']);
  });

  test('sees the refused requests with the reason, and is not asked about them', async () => {
    const device = createDevice();
    const bad = vouched(evmPayment('xfr-9', { built: { amountUnits: 2n } }));
    const output = await signRequests(inputOf([bad]), device);
    expect([outcomesOf(output), device.shown.questions]).toEqual([['AmountMismatch'], []]);
    expect(device.shown.pages[0]).toContainEqual(expect.stringContaining('REFUSED by this device. AmountMismatch'));
  });
});

test('the output has the published form', async () => {
  const { uses } = await signRequests(inputOf(payments()), createDevice());
  expect(SignOutputJson.shape.outputs.parse(uses)).toEqual(uses);
});
