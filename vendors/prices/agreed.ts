import type { Price, Prices } from './port';

type Options = {
  readonly sources: readonly Prices[];
  /** By how many percent of the lower price the higher one may lie above it. */
  readonly divergencePercentMax: number;
  readonly onDivergence: () => void;
};

const WHOLE = 100n;

/**
 * What all sources agree on (S13): the higher price counts, so that no limit is missed. Where one of them knows nothing, or they are further
 * apart than the bound, or count in other decimals, nothing is known.
 */
export function createAgreedPrices({ sources, divergencePercentMax, onDivergence }: Options): Prices {
  return {
    async priceOf(asset) {
      const answers = await Promise.all(sources.map((source) => source.priceOf(asset)));
      const prices = answers.filter((answer): answer is Price => answer !== undefined);
      const [lowest, ...others] = prices.map((price) => price.usdMicro).sort((a, b) => (a < b ? -1 : 1));
      const usdMicro = others.at(-1) ?? lowest;
      if (lowest === undefined || usdMicro === undefined || prices.length < sources.length) return undefined;
      const stated = new Set(prices.flatMap(({ decimals }) => decimals ?? []));
      if (usdMicro * WHOLE > lowest * (WHOLE + BigInt(divergencePercentMax)) || stated.size > 1) {
        onDivergence();
        return undefined;
      }
      const [decimals] = stated;
      return { usdMicro, ...(decimals === undefined ? {} : { decimals }) };
    },
  };
}
