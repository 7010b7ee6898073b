import { type SignatureApi, startSignatureApi } from '../../support/signature-api';
import { approvalOf, type Call, DELEGATE, operationMessage, smartAccountBody, transferOf } from '../../support/smart-account';
import { START_LIMIT_MS } from '../../support/wallet-api';

/** The network's record lists this token with six decimals. A token is worth a dollar. */
const USDC = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const STRANGER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const CHAIN = 11_155_111;

let signatures: SignatureApi;
let walletId: string;
let path: string;
let account: string;
beforeAll(async () => {
  signatures = await startSignatureApi();
  const wallet = await signatures.createWallet();
  walletId = wallet.id;
  account = wallet.address;
  path = `/keys/${wallet.signingKey.id}/signatures`;
  const filters = { walletId: { in: [walletId] } };
  const whitelist = { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [FRIEND] } };
  const limit = { kind: 'TransactionAmountLimit', configuration: { limit: 100, currency: 'USD' } };
  for (const rule of [whitelist, limit]) await signatures.addPolicy({ filters, rule, action: { kind: 'Block' } });
}, START_LIMIT_MS);
afterAll(() => signatures?.close());

const fields = (text: string) =>
  text.split(',').map((field) => ({ type: field.split(' ')[0] ?? '', name: field.split(' ')[1] ?? '' }));
const status = async (body: Readonly<Record<string, unknown>>) => (await signatures.request(body, path)).status;

const permit = ({ spender = FRIEND, value = '100000000', token = USDC } = {}) => ({
  kind: 'Eip712',
  types: { Permit: fields('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline') },
  domain: { name: 'USDC', version: '2', chainId: CHAIN, verifyingContract: token },
  message: { owner: STRANGER, spender, value, nonce: '0', deadline: '9999999999' },
});
const batch = (...amounts: readonly string[]) => ({
  kind: 'Eip712',
  types: {
    PermitBatch: fields('PermitDetails[] details,address spender,uint256 sigDeadline'),
    PermitDetails: fields('address token,uint160 amount,uint48 expiration,uint48 nonce'),
  },
  domain: { name: 'Permit2', chainId: CHAIN, verifyingContract: PERMIT2 },
  message: {
    details: amounts.map((amount) => ({ token: USDC, amount, expiration: '9999999999', nonce: 0 })),
    spender: FRIEND,
    sigDeadline: '9999999999',
  },
});

test('limits and whitelists apply to a permit, because it moves funds without a transaction (S12)', async () => {
  expect(await status(permit())).toBe('Signed');
  expect(await status(permit({ value: '100000001' }))).toBe('Rejected');
  expect(await status(permit({ spender: STRANGER }))).toBe('Rejected');
  expect(await status(permit({ value: (2n ** 256n - 1n).toString() }))).toBe('Rejected');
});

test('the entries of one permit are added up (S12)', async () => {
  expect(await status(batch('50000000', '50000000'))).toBe('Signed');
  expect(await status(batch('50000000', '50000001'))).toBe('Rejected');
});

test('unreadable content, or content about an unknown token, is treated as above every limit and as paid to a stranger (S12)', async () => {
  expect(await status(permit({ token: STRANGER }))).toBe('Rejected');
  const login = { types: { Login: fields('string site') }, domain: { name: 'Site' }, message: { site: 'example.com' } };
  expect(await status({ kind: 'Eip712', ...login })).toBe('Rejected');
  expect(await status({ kind: 'Eip7702', chainId: CHAIN, address: FRIEND, nonce: 0 })).toBe('Rejected');
  expect(await status({ kind: 'Message', message: '0x1234' })).toBe('Rejected');
  expect(await status({})).toBe('Rejected');
});

test('a permit uses up the velocity window of its wallet like a transfer (S9, S12)', async () => {
  const wallet = await signatures.createWallet();
  await signatures.addPolicy({
    filters: { walletId: { in: [wallet.id] } },
    rule: { kind: 'TransactionAmountVelocity', configuration: { limit: 150, currency: 'USD', timeframe: 60 } },
    action: { kind: 'Block' },
  });
  const ask = async (value: string) =>
    (await signatures.request(permit({ value }), `/keys/${wallet.signingKey.id}/signatures`)).status;
  expect([await ask('100000000'), await ask('50000001'), await ask('50000000'), await ask('1')]).toEqual([
    'Signed',
    'Rejected',
    'Signed',
    'Rejected',
  ]);
});

const calling = (...calls: readonly Call[]) => smartAccountBody(account, calls);

test('limits and whitelists apply to each call of a smart account and to their sum (S12)', async () => {
  const half = transferOf(USDC, FRIEND, 50_000_000n);
  expect(await status(calling(half, half))).toBe('Signed');
  expect(await status(calling(half, half, { to: FRIEND, value: '1' }))).toBe('Rejected');
  expect(await status(calling(half, transferOf(USDC, FRIEND, 50_000_001n)))).toBe('Rejected');
  expect(await status(calling(half, transferOf(USDC, STRANGER, 1n)))).toBe('Rejected');
  expect(await status(calling({ to: FRIEND, value: '1' }, { to: STRANGER, value: '1' }))).toBe('Rejected');
  expect(await status(smartAccountBody(account, [half, half], { message: operationMessage(account, [half, half]) }))).toBe(
    'Signed',
  );
  const more = [half, half, half];
  expect(await status(smartAccountBody(account, more, { message: operationMessage(account, more) }))).toBe('Rejected');
});

test('a call that may do anything is treated as above every limit and as paid to a stranger, whatever the other calls (S12)', async () => {
  const small = transferOf(USDC, FRIEND, 1n);
  for (const unknown of [
    approvalOf(USDC, FRIEND),
    approvalOf(USDC, FRIEND, 1n),
    { to: FRIEND, data: '0x12345678' },
    { ...small, value: '1' },
    transferOf(STRANGER, FRIEND, 1n),
  ])
    for (const calls of [[unknown], [small, unknown], [unknown, small]]) expect(await status(calling(...calls))).toBe('Rejected');
});

test('an authorization of code adds no value to a payment, but is not exempt like a call to oneself', async () => {
  const authorization = { kind: 'Eip7702', address: DELEGATE, nonce: 0, chainId: CHAIN };
  const asked = async (calls: readonly Call[], structured = {}) => status(smartAccountBody(account, calls, structured));
  expect(await asked([{ to: FRIEND, value: '1' }], { authorization })).toBe('Signed');
  expect(await asked([{ to: account }])).toBe('Signed');
  expect(await asked([{ to: account }, { to: STRANGER }])).toBe('Rejected');
  expect(await asked([{ to: account }], { authorization })).toBe('Rejected');
});

test('all calls of a smart account are included in the velocity window of its wallet', async () => {
  const wallet = await signatures.createWallet();
  await signatures.addPolicy({
    filters: { walletId: { in: [wallet.id] } },
    rule: { kind: 'TransactionAmountVelocity', configuration: { limit: 150, currency: 'USD', timeframe: 60 } },
    action: { kind: 'Block' },
  });
  const ask = async (...dollars: readonly bigint[]) => {
    const calls = dollars.map((amount) => transferOf(USDC, STRANGER, amount * 1_000_000n));
    return (await signatures.request(smartAccountBody(wallet.address, calls), `/keys/${wallet.signingKey.id}/signatures`)).status;
  };
  expect([await ask(60n, 40n), await ask(30n, 21n), await ask(25n, 25n), await ask(1n)]).toEqual([
    'Signed',
    'Rejected',
    'Signed',
    'Rejected',
  ]);
});
