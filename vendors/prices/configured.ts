import { z } from 'zod';
import { JsonText } from '../../platform/config';
import { createAgreedPrices } from './agreed';
import { createCachedPrices } from './cached';
import { createFixedPrices, PriceTable } from './fixed';
import { createHttpPrices } from './http';
import type { Prices } from './port';

const SOURCES_MAX = 2;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/;

const PriceSource = z.strictObject({
  /** Identifies the source in logs. */
  name: z.string().regex(/^[\w-]{1,40}$/, 'must be 1 to 40 letters, digits, _ and -'),
  url: z.url({ protocol: /^https?$/ }).refine((url) => !/^\w+:\/\/[^/?#]*@/.test(url), 'must hold no user name and no password'),
  token: z.string().min(1).max(4_096).optional(),
});
const PriceSources = z
  .array(PriceSource)
  .max(SOURCES_MAX)
  .refine((sources) => new Set(sources.map(({ name }) => name)).size === sources.length, 'must have different names')
  .refine((sources) => new Set(sources.map(({ url }) => url)).size === sources.length, 'must be different sources');

export const PriceEnv = {
  PRICES: JsonText.pipe(PriceTable).describe(
    'Table of fixed prices for trials, in place of sources; limits on amounts fail closed if a price is missing.',
  ),
  PRICE_SOURCES: JsonText.transform((value) => (isEmpty(value) ? [] : value))
    .pipe(PriceSources)
    .meta({
      secret: true,
      description:
        'At most two sources of prices, as `[{"name":"a","url":"https://…","token":"…"}]`; with two sources, both must have a price, and the prices must agree ([prices.md](prices.md)).',
    }),
  PRICE_DIVERGENCE_PERCENT: z.coerce
    .number()
    .int()
    .min(0)
    .max(100)
    .default(5)
    .describe('Maximum difference in percent at which the prices of two sources still agree.'),
  PRICE_AGE_MAX_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(300)
    .describe('Maximum age of a price; an older price is treated as missing.'),
  PRICE_KEPT_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600)
    .default(15)
    .describe('Time for which the answer of a source is cached.'),
  PRICE_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(10_000)
    .default(2_000)
    .describe('Time within which a source must answer.'),
};
type PriceConfig = { readonly [Name in keyof typeof PriceEnv]: z.output<(typeof PriceEnv)[Name]> };

type Ruled = PriceConfig & { readonly NODE_ENV: string };

/** `{}` is the value of a variable that is not set. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

/** With a table and sources together, it would be unclear which prices apply. */
export const PRICE_TABLE_RULE = {
  holds: ({ PRICES, PRICE_SOURCES }: Ruled): boolean => Object.keys(PRICES).length === 0 || PRICE_SOURCES.length === 0,
  fault: { path: ['PRICE_SOURCES'], message: 'must not be given together with PRICES' },
};

/** An attacker on the network could change a price that is sent in the clear. */
export const PRICE_ADDRESS_RULE = {
  holds: ({ PRICE_SOURCES, NODE_ENV }: Ruled): boolean =>
    PRICE_SOURCES.every(
      ({ url }) => url.startsWith('https:') || (NODE_ENV !== 'production' && LOOPBACK.test(new URL(url).hostname)),
    ),
  fault: { path: ['PRICE_SOURCES'], message: 'must be https, except for loopback addresses in a trial' },
};

/** `onFault` receives the reason why a price is unknown, in our own words. */
export function configuredPrices(config: PriceConfig, onFault: (source: string, fault: string) => void): Prices {
  if (config.PRICE_SOURCES.length === 0) return createFixedPrices(config.PRICES);
  const sources = config.PRICE_SOURCES.map((source) =>
    createCachedPrices(
      createHttpPrices({
        source,
        timeoutMs: config.PRICE_TIMEOUT_MS,
        ageMaxMs: config.PRICE_AGE_MAX_SECONDS * 1_000,
        onFault,
      }),
      { keptMs: config.PRICE_KEPT_SECONDS * 1_000 },
    ),
  );
  const names = config.PRICE_SOURCES.map(({ name }) => name).join(' and ');
  return createAgreedPrices({
    sources,
    divergencePercentMax: config.PRICE_DIVERGENCE_PERCENT,
    onDivergence: () => onFault(names, 'prices or decimals that are too far apart'),
  });
}
