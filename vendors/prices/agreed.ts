import type { Price, Prices } from './port';

type Options = {
  readonly sources: readonly Prices[];
  /** In percent of the lower price. */
  readonly divergencePercentMax: number;
  readonly onDivergence: () => void;
};

const WHOLE = 100n;

/**
 * The prices on which all sources agree (S13). The highest price is used, so that no amount slips under a limit. A price is
 * unknown if a source has no price, if the prices diverge by more than the bound, or if the decimals differ. If only euro prices
 * are missing or diverge, the result has no euro price. The date of the result is the date of the oldest price.
 */
export function createAgreedPrices({ sources, divergencePercentMax, onDivergence }: Options): Prices {
  /** Undefined if a source has no price. */
  const agreedOn = (micros: readonly (bigint | undefined)[]): bigint | 'Divergence' | undefined => {
    const known = micros.filter((micro) => micro !== undefined).sort((a, b) => (a < b ? -1 : 1));
    const [lowest] = known;
    const highest = known.at(-1);
    if (lowest === undefined || highest === undefined || known.length < sources.length) return undefined;
    return highest * WHOLE > lowest * (WHOLE + BigInt(divergencePercentMax)) ? 'Divergence' : highest;
  };

  return {
    async priceOf(asset) {
      const answers = await Promise.all(sources.map((source) => source.priceOf(asset)));
      const prices = answers.filter((answer): answer is Price => answer !== undefined);
      const usdMicro = agreedOn(answers.map((answer) => answer?.usdMicro));
      if (usdMicro === undefined) return undefined;
      const stated = new Set(prices.flatMap(({ decimals }) => decimals ?? []));
      if (usdMicro === 'Divergence' || stated.size > 1) {
        onDivergence();
        return undefined;
      }
      const eurMicro = agreedOn(answers.map((answer) => answer?.eurMicro));
      const [decimals] = stated;
      const [date] = prices.flatMap((price) => price.date ?? []).sort((a, b) => a.getTime() - b.getTime());
      return {
        usdMicro,
        ...(typeof eurMicro === 'bigint' ? { eurMicro } : {}),
        ...(decimals === undefined ? {} : { decimals }),
        ...(date === undefined ? {} : { date }),
      };
    },
  };
}
