import type { z as zod } from 'zod';

/** Thirty days. */
const TIMEFRAME_MINUTES_MAX = 43_200;
const CATEGORIES_MAX = 100;

type Zod = typeof zod;

/** Always returns the same instance, so that the OpenAPI document contains the schema once. */
export function once<S>(make: (z: Zod) => S): (z: Zod) => S {
  let made: { readonly schema: S } | undefined;
  return (z) => {
    made ??= { schema: make(z) };
    return made.schema;
  };
}

export const amount = (z: Zod) => ({
  limit: z.int().positive().describe('Whole dollars; a value of exactly this amount does not trigger'),
  currency: z.literal('USD'),
});

export const timeframe = (z: Zod) =>
  z
    .int()
    .min(1)
    .max(TIMEFRAME_MINUTES_MAX)
    .describe('Length of the sliding window that ends at the judgement: minutes, at most 30 days');

export const categoryIds = (z: Zod) =>
  z.array(z.int().positive()).max(CATEGORIES_MAX).describe('An empty list accepts any category');

export const fallbacks = (z: Zod) => ({
  skipUnscreenableTransaction: z
    .boolean()
    .describe(
      'If true, the rule skips an activity whose movement is unknown, such as a signature over a hash; if false, the rule triggers',
    ),
  skipUnsupportedNetwork: z
    .boolean()
    .describe('If true, the rule skips an activity on a network that the vendor does not screen; if false, the rule triggers'),
  skipUnsupportedAsset: z
    .boolean()
    .describe('If true, the rule skips an activity with an asset that the vendor does not screen; if false, the rule triggers'),
});
