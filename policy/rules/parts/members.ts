import type { z as zod } from 'zod';

/** Thirty days. */
const TIMEFRAME_MINUTES_MAX = 43_200;
const CATEGORIES_MAX = 100;

type Zod = typeof zod;

export const amount = (z: Zod) => ({ limit: z.int().positive(), currency: z.literal('USD') });

export const timeframe = (z: Zod) => z.int().min(1).max(TIMEFRAME_MINUTES_MAX).describe('Minutes');

export const categoryIds = (z: Zod) => z.array(z.int().positive()).max(CATEGORIES_MAX).describe('Empty means any category');

export const fallbacks = (z: Zod) => ({
  skipUnscreenableTransaction: z.boolean(),
  skipUnsupportedNetwork: z.boolean(),
  skipUnsupportedAsset: z.boolean(),
});
