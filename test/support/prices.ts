import type { PriceTable } from '../../vendors/prices/fixed';

/** Made-up prices, with which tests can try limits without an account at a price source. */
export const TEST_PRICES: PriceTable = {
  EthereumSepolia: { native: '3000', tokens: { '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238': '1' } },
};
