import { NO_ORGANIZATION } from '../../application/wallets/assets';
import { networkOf } from '../../chains/networks';
import type { DutyResult } from '../../domain/housekeeping';
import type { NetworkName } from '../../domain/networks';
import type { Database } from '../../entities/database';
import { type AskedPrice, NATIVE, type PriceKey, priceStore } from '../../entities/prices/price.store';
import type { Prices } from '../../vendors/prices/port';

export type PriceParts = {
  readonly db: Database;
  readonly prices: Prices;
  readonly networks: readonly NetworkName[];
  readonly priceAgeMaxMs: number;
};

/**
 * `PRICED_MAX` limits the tokens that have had a price, and `OTHERS_MAX` limits all other tokens. Tokens beyond a limit wait
 * for the next round.
 */
const PRICED_MAX = 150;
const OTHERS_MAX = 50;
const PARALLEL_MAX = 8;
/** A round does not start another query after this time, so the round ends before its activity times out. */
const ROUND_MS = 120_000;

/**
 * Requests the prices of each network's native asset, of the tokens in the network's record and of the tokens that requests have
 * used.
 */
export function createPriceDuty({ db, prices, networks, priceAgeMaxMs }: PriceParts) {
  const ask = async ({ network, contract }: PriceKey): Promise<AskedPrice> => {
    const askedAt = Date.now();
    const price = await prices.priceOf({ network, ...(contract === NATIVE ? {} : { contract }) });
    if (!price) return { network, contract };
    const { usdMicro, eurMicro, decimals = null, date } = price;
    const until = new Date((date?.getTime() ?? askedAt) + priceAgeMaxMs);
    const known = { prices: { USD: usdMicro, ...(eurMicro === undefined ? {} : { EUR: eurMicro }) }, decimals, until };
    return { network, contract, known };
  };

  return async (): Promise<DutyResult> => {
    const ends = performance.now() + ROUND_MS;
    const met = await priceStore.tokensToAsk(db.read(NO_ORGANIZATION), networks, {
      pricedMax: PRICED_MAX,
      othersMax: OTHERS_MAX,
    });
    const assets = [...new Map([...networks.flatMap(assetsOf), ...met].map((asset) => [JSON.stringify(asset), asset])).values()];
    const sums = { looked: 0, done: 0 };
    while (sums.looked < assets.length && performance.now() < ends) {
      const answers = await Promise.all(assets.slice(sums.looked, sums.looked + PARALLEL_MAX).map(ask));
      await db.withOrg(NO_ORGANIZATION, (tx) => priceStore.keep(tx, answers));
      sums.looked += answers.length;
      sums.done += answers.filter(({ known }) => known !== undefined).length;
    }
    return sums;
  };
}

const assetsOf = (network: NetworkName): PriceKey[] =>
  [NATIVE, ...networkOf(network).tokens.map(({ contract }) => contract)].map((contract) => ({ network, contract }));
