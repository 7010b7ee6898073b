import { type DeviceRules, readRules } from '../../../offline-signer/signing/rules';
import { signRequests } from '../../../offline-signer/signing/sign-requests';
import { createDevice, inputOf, outcomesOf, type Travelling, vouched } from './fleet';
import { coinAddress, coinPayment, evmPayment, payloadOf, solanaPayment, TO, USDC } from './payments';

type OfNetwork = DeviceRules['networks'][string];
const rulesOf = (network: string, ofNetwork: OfNetwork, changes: Partial<DeviceRules> = {}): DeviceRules =>
  readRules(
    JSON.stringify({
      ...{ v: 1, requireCharter: false, confirmAllAtOnce: false, messages: false, networks: { [network]: ofNetwork } },
      ...changes,
    }),
  );
const run = async (payments: readonly Travelling[], rules: DeviceRules) =>
  outcomesOf(await signRequests(inputOf(payments.map((one) => vouched(one))), createDevice({ rules })));

const SEPOLIA = 'EthereumSepolia';
const FEE = 60_000_000_000_000n;
const PAID = 1_000_000_000_000n;

test.each<[string, OfNetwork, Travelling, string]>([
  ['an allowed recipient in another case', { recipients: [TO.toLowerCase()] }, evmPayment('x'), 'signed'],
  ['another recipient', { recipients: [USDC] }, evmPayment('x'), 'RecipientNotAllowed'],
  ['no recipient', { recipients: [] }, evmPayment('x'), 'RecipientNotAllowed'],
  [
    'a token to an allowed recipient',
    { recipients: [TO] },
    evmPayment('x', { asset: { kind: 'Erc20', contract: USDC } }),
    'signed',
  ],
  ['a fee at the ceiling', { feeCeilingUnits: `${FEE}` }, evmPayment('x'), 'signed'],
  ['a fee above the ceiling', { feeCeilingUnits: `${FEE - 1n}` }, evmPayment('x'), 'FeeAboveRule'],
  [
    'an amount at the limit, with its fee',
    { limits: { native: { perRequestUnits: `${PAID + FEE}` } } },
    evmPayment('x'),
    'signed',
  ],
  [
    'an amount above the limit, with its fee',
    { limits: { native: { perRequestUnits: `${PAID + FEE - 1n}` } } },
    evmPayment('x'),
    'AboveRequestLimit',
  ],
  [
    'a token without a limit of its own',
    { limits: { native: {} } },
    evmPayment('x', { asset: { kind: 'Erc20', contract: USDC } }),
    'AssetNotAllowed',
  ],
  [
    'a token at its limit',
    { limits: { native: {}, [USDC.toLowerCase()]: { perRequestUnits: '5' } } },
    evmPayment('x', { asset: { kind: 'Erc20', contract: USDC }, amountUnits: 5n }),
    'signed',
  ],
  [
    'a token above its limit',
    { limits: { native: {}, [USDC.toLowerCase()]: { perRequestUnits: '5' } } },
    evmPayment('x', { asset: { kind: 'Erc20', contract: USDC }, amountUnits: 6n }),
    'AboveRequestLimit',
  ],
  ['a fee without a limit for its asset', { limits: { [USDC]: {} } }, evmPayment('x'), 'AssetNotAllowed'],
])('on an EVM network: %s', async (_name, ofNetwork, payment, code) => {
  expect(await run([payment], rulesOf(SEPOLIA, ofNetwork))).toEqual([code]);
});

test('the other families have the same rules', async () => {
  const ofCoins = (units: string) =>
    rulesOf('BitcoinSignet', { recipients: [coinAddress], limits: { native: { perRequestUnits: units } } });
  expect(await run([coinPayment('x')], ofCoins('70500'))).toEqual(['signed']);
  expect(await run([coinPayment('x')], ofCoins('70499'))).toEqual(['AboveRequestLimit']);
  expect(await run([coinPayment('x')], rulesOf('BitcoinSignet', { recipients: [] }))).toEqual(['RecipientNotAllowed']);
  const to = (solanaPayment('x').order['intent'] as { to: string }).to;
  expect(await run([solanaPayment('x')], rulesOf('SolanaDevnet', { recipients: [to] }))).toEqual(['signed']);
  // Unlike an EVM address, a Solana address in another case is another address.
  expect(await run([solanaPayment('x')], rulesOf('SolanaDevnet', { recipients: [to.toLowerCase()] }))).toEqual([
    'RecipientNotAllowed',
  ]);
});

test('a network without rules is not allowed', async () => {
  expect(await run([evmPayment('x'), coinPayment('y')], rulesOf('BitcoinSignet', {}))).toEqual(['NetworkNotAllowed', 'signed']);
});

test('the limit of a group counts what passed, by asset', async () => {
  const rules = rulesOf(SEPOLIA, { limits: { native: { perGroupUnits: `${2n * (PAID + FEE)}` } } });
  const payments = [evmPayment('a', { nonce: 1 }), evmPayment('b', { nonce: 2 }), evmPayment('c', { nonce: 3 })];
  expect(await run(payments, rules)).toEqual(['signed', 'signed', 'AboveGroupLimit']);
  const refused = evmPayment('d', { nonce: 4, built: { amountUnits: 2n } });
  expect(await run([refused, ...payments.slice(0, 2)], rules)).toEqual(['AmountMismatch', 'signed', 'signed']);
});

describe('content without amounts', () => {
  const typed = JSON.stringify({
    types: { EIP712Domain: [{ name: 'chainId', type: 'uint256' }], Note: [{ name: 'text', type: 'string' }] },
    ...{ primaryType: 'Note', domain: { chainId: 11_155_111 }, message: { text: 'hello' } },
  });
  const message = () => payloadOf('m', 'ECDSA', { kind: 'Eip191', messageHex: '0x68656c6c6f' });
  const typedData = () => payloadOf('t', 'ECDSA', { kind: 'Eip712', typedData: typed });

  test('a message is signed only if the rules allow messages', async () => {
    expect(await run([message()], rulesOf(SEPOLIA, {}))).toEqual(['MessageNotAllowed']);
    expect(await run([message()], rulesOf(SEPOLIA, {}, { messages: true }))).toEqual(['signed']);
  });

  test('typed data is signed only on an allowed network, without a limit or list that it could get around', async () => {
    const allowed = { messages: true };
    expect(await run([typedData()], rulesOf(SEPOLIA, {}))).toEqual(['MessageNotAllowed']);
    expect(await run([typedData()], rulesOf(SEPOLIA, {}, allowed))).toEqual(['signed']);
    expect(await run([typedData()], rulesOf('BitcoinSignet', {}, allowed))).toEqual(['NetworkNotAllowed']);
    expect(await run([typedData()], rulesOf(SEPOLIA, { recipients: [TO] }, allowed))).toEqual(['EffectUnknown']);
    expect(await run([typedData()], rulesOf(SEPOLIA, { limits: { native: {} } }, allowed))).toEqual(['EffectUnknown']);
  });
});

test.each([
  ['no JSON', '{'],
  ['an unknown member', '{"v":1,"requireCharter":true,"confirmAllAtOnce":false,"messages":false,"networks":{},"more":1}'],
  ['a member twice', '{"v":1,"v":1,"requireCharter":true,"confirmAllAtOnce":false,"messages":false,"networks":{}}'],
  ['an unknown network', '{"v":1,"requireCharter":true,"confirmAllAtOnce":false,"messages":false,"networks":{"Atlantis":{}}}'],
  ['a missing member', '{"v":1,"requireCharter":true,"messages":false,"networks":{}}'],
  [
    'a limit with a point',
    '{"v":1,"requireCharter":true,"confirmAllAtOnce":false,"messages":false,"networks":{"Ethereum":{"feeCeilingUnits":"1.5"}}}',
  ],
])('a file with %s is refused as a whole', (_name, text) => {
  expect(() => readRules(text)).toThrow('rules.json');
});
