/** A token bucket: the bucket holds `requests`, and refills evenly over `seconds`. */
export type Rate = { readonly requests: number; readonly seconds: number };

const perMinute = (requests: number): Rate => ({ requests, seconds: 60 });
const perHour = (requests: number): Rate => ({ requests, seconds: 3_600 });

/** `named` is the user whom an unauthenticated caller names. The IPv6 addresses of one /64 network are treated as one address. */
export const RATE_SCOPES = ['address', 'user', 'token', 'named'] as const;
export type RateScope = (typeof RATE_SCOPES)[number];
type Rates = Readonly<Partial<Record<RateScope, Rate>>>;

/**
 * The limits for authenticated callers serve only to prevent one customer from crowding out other customers. The limits for
 * unauthenticated callers are tight, because each call may be a guess.
 */
export const RATE_LIMITS = {
  Read: { address: perMinute(120_000), user: perMinute(60_000), token: perMinute(30_000) },
  Write: { address: perMinute(24_000), user: perMinute(12_000), token: perMinute(6_000) },
  Signing: { address: perMinute(48_000), user: perMinute(24_000), token: perMinute(12_000) },
  /** Every operation that does not need a session token. */
  SignIn: { address: perMinute(120) },
  Mail: { address: perHour(60), named: perHour(6) },
} as const satisfies Readonly<Record<string, Rates>>;

export type RateClass = keyof typeof RATE_LIMITS;
export const RATE_CLASSES = Object.keys(RATE_LIMITS) as RateClass[];

/**
 * The database counts every request in these classes at once. The counts for the other classes are synchronised about once a
 * second.
 */
export const EXACT_CLASSES: readonly RateClass[] = ['SignIn', 'Mail'];

/** Operations whose class does not follow from their method and caller. */
export const CLASS_OF_OPERATION: Readonly<Record<string, RateClass>> = {
  createUserActionChallenge: 'Signing',
  createUserActionSignature: 'Signing',
  sendLoginCode: 'Mail',
  sendRecoveryCode: 'Mail',
  resendRegistrationCode: 'Mail',
  // A vendor sends all callbacks from one address, so the limit of `SignIn` would be too low. Each callback is signed.
  receiveTravelRuleCallback: 'Write',
};

/**
 * The pauses after wrong guesses at a password, a one-time password or a code. `pair` counts guesses at one person's secret
 * from one address. `whole` counts all guesses at that secret. Pauses are bounded, and `whole` does not pause an address that
 * recently gave the right secret. So no user can be locked out for ever.
 */
export const GUESS_RULES = {
  pair: { free: 5, firstMs: 1_000, mostMs: 15 * 60_000 },
  whole: { free: 50, firstMs: 1_000, mostMs: 15 * 60_000 },
  forgottenMs: 24 * 3_600_000,
  trustedMs: 30 * 24 * 3_600_000,
} as const;

export type RateTable = Readonly<Record<RateClass, Rates>>;

/** A value replaces the number of requests in the table. `scale` multiplies all numbers of requests. */
export type RateOverrides = { readonly scale?: number | undefined } & {
  readonly [C in RateClass]?: Readonly<Partial<Record<RateScope, number | undefined>>> | undefined;
};

/** Ignores a value for a scope that the class does not limit. */
export function rateTable({ scale = 1, ...own }: RateOverrides): RateTable {
  const ratesOf = (name: RateClass): Rates => {
    const rates: Rates = RATE_LIMITS[name];
    return Object.fromEntries(
      RATE_SCOPES.flatMap((scope) => {
        const rate = rates[scope];
        if (rate === undefined) return [];
        const requests = Math.max(1, Math.round((own[name]?.[scope] ?? rate.requests) * scale));
        return [[scope, { requests, seconds: rate.seconds }]];
      }),
    );
  };
  return Object.fromEntries(RATE_CLASSES.map((name) => [name, ratesOf(name)])) as RateTable;
}
