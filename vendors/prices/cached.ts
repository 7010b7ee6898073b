import type { Price, PricedAsset, Prices } from './port';

type Options = { readonly keptMs: number; readonly now?: () => number };
type Kept = { readonly price: Price; readonly until: number };

/** Callers may specify any token contract, so the cache is bounded. */
const ASSETS_MAX = 10_000;

/** Concurrent callers share one query. An unknown price is queried again at the next call. */
export function createCachedPrices(source: Prices, { keptMs, now = () => performance.now() }: Options): Prices {
  const kept = new Map<string, Kept>();
  const asked = new Map<string, Promise<Price | undefined>>();

  const ask = async (key: string, asset: PricedAsset): Promise<Price | undefined> => {
    // The cache period starts before the query, because the price may be as old as the query.
    const until = now() + keptMs;
    const price = await source.priceOf(asset);
    kept.delete(key);
    if (price !== undefined) kept.set(key, { price, until });
    const [oldest] = kept.keys();
    if (kept.size > ASSETS_MAX && oldest !== undefined) kept.delete(oldest);
    return price;
  };

  return {
    priceOf({ network, contract }) {
      const key = JSON.stringify([network, contract?.toLowerCase() ?? null]);
      const present = kept.get(key);
      if (present && now() < present.until) return Promise.resolve(present.price);
      const asking = asked.get(key);
      if (asking !== undefined) return asking;
      const answer = ask(key, { network, ...(contract === undefined ? {} : { contract }) }).finally(() => asked.delete(key));
      asked.set(key, answer);
      return answer;
    },
  };
}
