import { configuredPrices } from '../../vendors/prices/configured';
import { openHousekeeping } from './housekeeping';
import { type PriceSource, startPriceSource } from './price-source';
import { startWalletApi, type WalletApi } from './wallet-api';

const AGE_MAX_SECONDS = 60;
/** The reason why an API with a price source cannot share a stand (a database and an API process) with other files. */
export const PRICES_ARE_SHARED = 'prices belong to no organisation, and a refresh asks for the price of every asset in use';

export type Priced = {
  readonly source: PriceSource;
  /** Asks the source for every asset in use, as the worker does each minute. */
  readonly refreshPrices: () => Promise<void>;
  readonly forgetPrices: () => Promise<void>;
};
export type PricedApi = WalletApi & Priced;

/** Adds a price source of the test's own to an API. */
export async function withPrices<Api extends WalletApi>(api: Api): Promise<Api & Priced> {
  const source = await startPriceSource();
  const prices = configuredPrices(
    {
      PRICES: {},
      PRICE_SOURCES: [{ name: 'test', url: source.url }],
      PRICE_DIVERGENCE_PERCENT: 5,
      PRICE_AGE_MAX_SECONDS: AGE_MAX_SECONDS,
      PRICE_KEPT_SECONDS: 0,
      PRICE_TIMEOUT_MS: 300,
    },
    () => undefined,
  );
  const { database } = api.api;
  const housekeeping = await openHousekeeping({
    database,
    prices,
    networks: ['EthereumSepolia'],
    priceAgeMaxMs: AGE_MAX_SECONDS * 1_000,
  });
  return {
    ...api,
    source,
    refreshPrices: async () => {
      await housekeeping.keep('refresh-prices');
    },
    forgetPrices: () => housekeeping.upset('DELETE FROM prices'),
    close: async () => {
      await Promise.all([housekeeping.close(), source.close()]);
      await api.close();
    },
  };
}

export const startPricedApi = async (): Promise<PricedApi> => withPrices(await startWalletApi({ own: PRICES_ARE_SHARED }));
