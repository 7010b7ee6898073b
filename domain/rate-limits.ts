/** The most requests at once; used ones become available again evenly over the window. */
export type Rate = { readonly requests: number; readonly seconds: number };

const perMinute = (requests: number): Rate => ({ requests, seconds: 60 });
const perHour = (requests: number): Rate => ({ requests, seconds: 3_600 });

/**
 * The subjects of a count: the address that a request comes from (for IPv6 its /64 network), its user and its token, and the user whom an
 * unauthenticated caller names.
 */
export const RATE_SCOPES = ['address', 'user', 'token', 'named'] as const;
export type RateScope = (typeof RATE_SCOPES)[number];
type Rates = Readonly<Partial<Record<RateScope, Rate>>>;

/**
 * How often each class of operations may be called, by the subject of the count. Generous to programs, because the limits only keep one customer from
 * crowding out the others. Tight for unauthenticated callers, because each call may be a guess.
 */
export const RATE_LIMITS = {
  Read: { address: perMinute(120_000), user: perMinute(60_000), token: perMinute(30_000) },
  Write: { address: perMinute(24_000), user: perMinute(12_000), token: perMinute(6_000) },
  /** Both calls of a user action. */
  Signing: { address: perMinute(48_000), user: perMinute(24_000), token: perMinute(12_000) },
  /** Login, registration, recovery and codes: everything that is called without a token of a session. */
  SignIn: { address: perMinute(120) },
  /** Operations that mail a code. */
  Mail: { address: perHour(60), named: perHour(6) },
} as const satisfies Readonly<Record<string, Rates>>;

export type RateClass = keyof typeof RATE_LIMITS;
export const RATE_CLASSES = Object.keys(RATE_LIMITS) as RateClass[];

/** Classes that are counted in the database at every call; the others are synchronised with it about once a second. */
export const EXACT_CLASSES: readonly RateClass[] = ['SignIn', 'Mail'];

/** Operations whose class differs from that of their method and caller. */
export const CLASS_OF_OPERATION: Readonly<Record<string, RateClass>> = {
  createUserActionChallenge: 'Signing',
  createUserActionSignature: 'Signing',
  sendLoginCode: 'Mail',
  sendRecoveryCode: 'Mail',
  resendRegistrationCode: 'Mail',
  // A vendor signs its callbacks, and all of them come from one address.
  receiveTravelRuleCallback: 'Write',
};

/**
 * Pauses after wrong guesses at a secret that can be guessed (a password, a one-time password, a code): `pair` counts the guesses at one person's
 * secret from one address, `whole` all guesses at it. A pause ends by itself and is bounded, and `whole` does not pause an address from which the
 * right secret was recently given, so no one can be locked out for ever. Factors that sign are never paused: they cannot be guessed.
 */
export const GUESS_RULES = {
  pair: { free: 5, firstMs: 1_000, mostMs: 15 * 60_000 },
  whole: { free: 50, firstMs: 1_000, mostMs: 15 * 60_000 },
  forgottenMs: 24 * 3_600_000,
  trustedMs: 30 * 24 * 3_600_000,
} as const;

export type RateTable = Readonly<Record<RateClass, Rates>>;

/** A configuration's overrides of the table: requests per class and scope in the table's windows, and a factor for all. */
export type RateOverrides = { readonly scale?: number | undefined } & {
  readonly [C in RateClass]?: Readonly<Partial<Record<RateScope, number | undefined>>> | undefined;
};

/** The table with a configuration's overrides; a scope that the table does not count stays uncounted. */
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
