import { defaultPayloadConverter } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { startWords } from '../../../application/dispatch/start-words';
import { createPayloadCodec } from '../../../platform/payload-codec';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const TOKEN = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
/** The default limit of Temporal for a summary. */
const SUMMARY_BYTES_MAX = 400;
const TITLE = 'Transfer on EthereumSepolia from wallet wa-1';

const row = {
  walletId: 'wa-1',
  network: 'EthereumSepolia',
  assetKind: 'Native',
  contract: null,
  tokenId: null,
  toAddress: TO,
  amountUnits: '1500000000000000001',
  assetSymbol: 'ETH',
  assetDecimals: 18,
  assetVerified: true,
  terms: null,
} as const;
const token = {
  ...row,
  assetKind: 'Erc20',
  contract: TOKEN,
  assetSymbol: 'USDC',
  assetDecimals: 6,
  amountUnits: '2500000',
} as const;

test('the summary names amount and recipient, and the details repeat both in full with the amount in smallest units', () => {
  const { summary, details } = startWords(TITLE, row);
  expect(summary).toBe(`${TITLE}: 1.500000000000000001 ETH to ${TO}`);
  expect(details.split('\n')).toEqual([
    TITLE,
    '* Amount: 1.500000000000000001 ETH',
    '* In smallest units: 1500000000000000001',
    `* Recipient: ${TO}`,
    '* Network: EthereumSepolia',
    '* Wallet: wa-1',
  ]);
});

test.each([
  ['a token that the service knows', token, '2.5 USDC'],
  ['an unverified token', { ...token, assetVerified: false }, `2.5 ${TOKEN}`],
  ['a token with unknown decimals', { ...token, assetDecimals: null }, '2500000 smallest units of USDC'],
  ['a non-fungible token', { ...token, assetKind: 'Erc721' as const, tokenId: '7' }, `token 7 of ${TOKEN}`],
  ['a call that moves no known asset', { ...row, assetKind: 'Call' as const, amountUnits: '0' }, 'a call with 0 ETH'],
  ['an amount that the network hides', { ...token, assetKind: 'Erc7984' as const }, 'a hidden amount of USDC'],
])('%s', (_kind, moved, amount) => {
  expect(startWords(TITLE, moved).summary).toBe(`${TITLE}: ${amount} to ${TO}`);
});

test('the details do not contain a hidden amount', () => {
  expect(startWords(TITLE, { ...token, assetKind: 'Erc7984' }).details).not.toMatch(/2500000|2\.5/);
});

test('the summary of a cancellation does not contain a recipient, and several outputs or calls are not shown as a payment to the first', () => {
  expect(startWords('CancelTransaction of xfr-1', { ...row, amountUnits: '0' }).summary).toBe('CancelTransaction of xfr-1');
  const coins = { ...row, network: 'BitcoinSignet', assetSymbol: 'BTC', assetDecimals: 8, amountUnits: '150000000' } as const;
  const raw = startWords('Transaction', { ...coins, terms: { family: 'utxo', call: { psbtHex: '' } } });
  expect(raw.summary).toBe('Transaction: 1.5 BTC to the outputs of its transaction');
  expect(raw.details).not.toContain(TO);
  const one = { to: TO, valueUnits: '1', dataHex: '0x' };
  const calls = startWords('Transaction', { ...row, terms: { family: 'evm-operation', call: [one, one], tokens: [] } });
  expect(calls.summary).toContain(` to ${TO} and others`);
});

test.each(['x', 'é', '🧾'])(
  'the longest summary, cut inside a run of %s, stays within the limit after encryption',
  async (letter) => {
    const amountUnits = '9'.repeat(78);
    const longest = { ...token, amountUnits, toAddress: `0${letter.repeat(120)}`, network: 'EthereumClassicMordor' } as const;
    const { summary, details } = startWords('CancelTransaction of tx-00000-00000-0000000000000000', longest);
    expect(summary).toMatch(/[^\uFFFD]…$/);
    expect(details).toContain(`* Recipient: 0${letter.repeat(120)}`);
    const [encrypted] = await createPayloadCodec(Buffer.alloc(32, 1), 'default').encode([
      defaultPayloadConverter.toPayload(summary),
    ]);
    const { Payload } = temporal.api.common.v1;
    expect(Payload.encode(encrypted ?? {}).finish().length).toBeLessThanOrEqual(SUMMARY_BYTES_MAX);
  },
);
