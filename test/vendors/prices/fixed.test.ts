import { createFixedPrices, PriceTable } from '../../../vendors/prices/fixed';
import { TEST_PRICES } from '../../support/prices';

const USDC = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';

test('the local trial has a price for the native asset and for the listed token', async () => {
  const prices = createFixedPrices(TEST_PRICES);
  expect(await prices.priceOf({ network: 'EthereumSepolia' })).toEqual({ usdMicro: 3_000_000_000n });
  expect(await prices.priceOf({ network: 'EthereumSepolia', contract: USDC.toLowerCase() })).toEqual({ usdMicro: 1_000_000n });
});

test('an asset outside the table has no known price', async () => {
  const prices = createFixedPrices(TEST_PRICES);
  expect(await prices.priceOf({ network: 'Ethereum' })).toBeUndefined();
  expect(
    await prices.priceOf({ network: 'EthereumSepolia', contract: '0x0000000000000000000000000000000000000001' }),
  ).toBeUndefined();
  expect(await prices.priceOf({ network: 'EthereumSepolia', contract: '' })).toBeUndefined();
});

test('six places are kept exactly', async () => {
  const prices = createFixedPrices(PriceTable.parse({ Ethereum: { native: '0.000001', tokens: { [USDC]: '1234567.5' } } }));
  expect(await prices.priceOf({ network: 'Ethereum' })).toEqual({ usdMicro: 1n });
  expect(await prices.priceOf({ network: 'Ethereum', contract: USDC })).toEqual({ usdMicro: 1_234_567_500_000n });
});

test('a price of zero is treated as unknown, because every amount would be below every limit', async () => {
  expect(await createFixedPrices({ Ethereum: { native: '0.000000' } }).priceOf({ network: 'Ethereum' })).toBeUndefined();
});

test.each(['-1', '1e3', '1.2345678', '', 'NaN', '01', '1.'])('a table with the price %p is refused', (native) => {
  expect(() => PriceTable.parse({ Ethereum: { native } })).toThrow();
});
