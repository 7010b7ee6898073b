import { defaultPayloadConverter } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { startWords } from '../../application/start-words';
import { createPayloadCodec } from '../../platform/payload-codec';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const TOKEN = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
/** What Temporal takes of a summary unless its operator says otherwise. */
const SUMMARY_BYTES_MAX = 400;

const row = {
  walletId: 'wa-1',
  network: 'EthereumSepolia',
  assetKind: 'Native',
  contract: null,
  toAddress: TO,
  amountUnits: '1500000000000000001',
  assetSymbol: 'ETH',
  assetDecimals: 18,
  assetVerified: true,
} as const;
const token = {
  ...row,
  assetKind: 'Erc20',
  contract: TOKEN,
  assetSymbol: 'USDC',
  assetDecimals: 6,
  amountUnits: '2500000',
} as const;

test('the line names amount and recipient, and the details repeat both in full with the smallest units', () => {
  const { summary, details } = startWords('Transfer', row);
  expect(summary).toBe(`Transfer: 1.500000000000000001 ETH to ${TO} on EthereumSepolia`);
  expect(details.split('\n')).toEqual([
    'Transfer',
    '* Amount: 1.500000000000000001 ETH',
    '* In smallest units: 1500000000000000001',
    `* Recipient: ${TO}`,
    '* Network: EthereumSepolia',
    '* Wallet: wa-1',
  ]);
});

test.each([
  ['a token that the service knows', token, '2.5 USDC'],
  ['a token that only calls itself so', { ...token, assetVerified: false }, `2.5 ${TOKEN}`],
  ['a token of which nobody knows the decimals', { ...token, assetDecimals: null }, '2500000 smallest units of USDC'],
  ['one of its kind', { ...token, assetKind: 'Erc721' as const, tokenId: '7' }, `token 7 of ${TOKEN}`],
  ['an amount that the network hides', { ...token, assetKind: 'Erc7984' as const }, 'a hidden amount of USDC'],
])('%s', (_kind, moved, amount) => {
  expect(startWords('Transfer', moved).summary).toBe(`Transfer: ${amount} to ${TO} on EthereumSepolia`);
});

test('a hidden amount stands in no detail', () => {
  expect(startWords('Transfer', { ...token, assetKind: 'Erc7984' }).details).not.toMatch(/2500000|2\.5/);
});

test('a cancellation pays nobody, and a raw transaction with several outputs is not told as a payment to the first', () => {
  const { summary } = startWords('CancelTransaction of xfr-1', { ...row, amountUnits: '0', toAddress: TO });
  expect(summary).toBe('CancelTransaction of xfr-1 on EthereumSepolia');
  const coins = { ...row, network: 'BitcoinSignet', assetSymbol: 'BTC', assetDecimals: 8, amountUnits: '150000000' } as const;
  const raw = startWords('Transaction', { ...coins, terms: { family: 'utxo', call: { psbtHex: '' } } });
  expect(raw.summary).toBe('Transaction: 1.5 BTC to the outputs of its transaction on BitcoinSignet');
  expect(raw.details).not.toContain(TO);
});

test('the longest line stays within what Temporal takes when it is encrypted', async () => {
  const longest = {
    ...token,
    amountUnits: '9'.repeat(78),
    assetVerified: false,
    toAddress: 'x'.repeat(120),
    network: 'EthereumClassicMordor',
  } as const;
  const { summary, details } = startWords('CancelTransaction of tx-00000-00000-0000000000000000', longest);
  expect(summary).toMatch(/…$/);
  expect(details).toContain(`* Recipient: ${'x'.repeat(120)}`);
  const [encrypted] = await createPayloadCodec(Buffer.alloc(32, 1), 'default').encode([
    defaultPayloadConverter.toPayload(summary),
  ]);
  const { Payload } = temporal.api.common.v1;
  expect(Payload.encode(encrypted ?? {}).finish().length).toBeLessThanOrEqual(SUMMARY_BYTES_MAX);
});
