import { Pool } from 'pg';
import { CONNECT_TIMEOUT_MS } from '../connect-timeout';

/** `costMs` is the part of the window that the request uses. */
export type LimitUse = { readonly key: string; readonly costMs: number; readonly windowMs: number };
/** `fullMs` is the time after which the limit is completely unused again if no further request arrives. */
export type LimitUsed = { readonly taken: boolean; readonly fullMs: number };

/** `whole` identifies the owner of the secret; `pair` also identifies the guessing address. */
export type Guess = { readonly whole: string; readonly pair: string };
/**
 * `free` wrong guesses cause no pause, and each further wrong guess causes a pause. The first pause lasts `firstMs`, and each
 * later pause lasts twice as long as the pause before, up to `mostMs`.
 */
export type Pauses = { readonly free: number; readonly firstMs: number; readonly mostMs: number };
export type GuessRules = {
  readonly whole: Pauses;
  readonly pair: Pauses;
  /** A count starts again at zero after this time without a guess. */
  readonly forgottenMs: number;
  /** For this time, wrong guesses from other addresses do not block an address that has sent the right secret. */
  readonly trustedMs: number;
};

/**
 * The counters that all API processes share. All times come from the database's clock. The keys of the counters are digests,
 * because a row must not identify a client.
 */
export type LimitStore = {
  /** Does not charge a limit that has no room for the request. */
  readonly take: (uses: readonly LimitUse[]) => Promise<readonly LimitUsed[]>;
  /**
   * Counts requests that were already served. `costMs` is the sum of their costs. Returns the fill level of each limit, in the
   * given order.
   */
  readonly add: (uses: readonly Omit<LimitUse, 'windowMs'>[]) => Promise<readonly number[]>;
  /**
   * The caller checks a guess only after this call, so all concurrent guesses are counted. Returns false during a pause of
   * `pair`, and during a pause of `whole` unless the address is trusted.
   */
  readonly charge: (guess: Guess, rules: GuessRules) => Promise<boolean>;
  /** Resets both counts after a correct guess. */
  readonly forgive: (guess: Guess) => Promise<void>;
  readonly removeOld: (lockoutMs: number) => Promise<void>;
  readonly clock: () => Promise<Date>;
  readonly close: () => Promise<void>;
};

/**
 * This store has its own pool, so that callers over their limit are rejected even while admitted callers use up all other
 * connections.
 */
const CONNECTIONS_MAX = 3;
const STATEMENT_TIMEOUT_MS = 5_000;

/**
 * SQL: updates the limits in the order of their keys, because two processes could otherwise deadlock. A limit without room keeps
 * its value.
 */
const TAKE = `
  WITH asked AS (SELECT * FROM unnest($1::text[], $2::float8[], $3::float8[]) AS n (key, cost, most)),
  taken AS (
    INSERT INTO rate_limits AS t (key, date_empty)
    SELECT key, statement_timestamp() + cost * interval '1 ms' FROM asked ORDER BY key
    ON CONFLICT (key) DO UPDATE
    SET date_empty = greatest(t.date_empty, statement_timestamp()) + (excluded.date_empty - statement_timestamp())
    WHERE greatest(t.date_empty, statement_timestamp()) + (excluded.date_empty - statement_timestamp())
      <= statement_timestamp() + (SELECT most FROM asked a WHERE a.key = t.key) * interval '1 ms'
    RETURNING key, date_empty
  )
  SELECT asked.key, taken.key IS NOT NULL AS taken,
    coalesce(extract(epoch FROM coalesce(taken.date_empty, r.date_empty) - statement_timestamp()) * 1000, asked.most)::float8 AS "fullMs"
  FROM asked LEFT JOIN taken USING (key) LEFT JOIN rate_limits r ON r.key = asked.key`;

const pauseOf = (failures: string, place: number) => `
  CASE WHEN ${failures} > $${place}::integer THEN clock_timestamp() + least($${place + 2}::float8,
    $${place + 1}::float8 * power(2, least(30, ${failures} - $${place}::integer - 1))) * interval '1 ms' END`;

/**
 * SQL: adds a guess to a count, unless a pause is running. The parameters from the index `place` are the `Pauses` of
 * this count.
 */
const chargeOf = (source: string, place: number) => `
  INSERT INTO lockouts AS t (key, failures, date_until) ${source}
  ON CONFLICT (key) DO UPDATE SET
    failures = CASE WHEN t.date_changed < clock_timestamp() - $9::float8 * interval '1 ms' THEN 1 ELSE t.failures + 1 END,
    date_until = CASE WHEN t.date_changed < clock_timestamp() - $9::float8 * interval '1 ms' THEN NULL
      ELSE ${pauseOf('t.failures + 1', place)} END,
    date_changed = clock_timestamp()
  WHERE t.date_until IS NULL OR t.date_until <= clock_timestamp()
  RETURNING date_succeeded`;

const CHARGE = `
  WITH pair AS (${chargeOf(`VALUES ($1::text, 1, ${pauseOf('1', 3)})`, 3)}),
  whole AS (${chargeOf(`SELECT $2::text, 1, ${pauseOf('1', 6)} WHERE EXISTS (SELECT FROM pair)`, 6)})
  SELECT EXISTS (SELECT FROM whole) OR EXISTS (
    SELECT FROM pair WHERE date_succeeded > clock_timestamp() - $10::float8 * interval '1 ms') AS "mayTry"`;

export function openLimitStore(url: string): LimitStore {
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    application_name: 'strongroom-limits',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // It does no harm if a crash loses counts.
    options: '-c synchronous_commit=off',
  });
  // The pool replaces a broken connection at its next use. Without a listener the error event would end the process.
  pool.on('error', () => undefined);
  const ask = async <R extends object>(name: string, text: string, values: readonly unknown[]): Promise<R[]> =>
    (await pool.query<R>({ name, text, values: [...values] })).rows;

  const take = async (uses: readonly LimitUse[]): Promise<readonly LimitUsed[]> => {
    const columns = [uses.map(({ key }) => key), uses.map(({ costMs }) => costMs), uses.map(({ windowMs }) => windowMs)];
    const rows = await ask<LimitUsed & { readonly key: string }>('limits-take', TAKE, columns);
    const byKey = new Map(rows.map((row) => [row.key, row]));
    return uses.map(({ key, windowMs }) => {
      const { taken = false, fullMs = windowMs } = byKey.get(key) ?? {};
      return { taken, fullMs: Math.max(0, fullMs) };
    });
  };

  return {
    take,
    add: async (uses) => {
      const used = await take(uses.map((use) => ({ ...use, windowMs: ENDLESS_MS })));
      return used.map(({ fullMs }) => fullMs);
    },
    charge: async ({ whole, pair }, rules) => {
      const pauses = [rules.pair, rules.whole].flatMap(({ free, firstMs, mostMs }) => [free, firstMs, mostMs]);
      const values = [pair, whole, ...pauses, rules.forgottenMs, rules.trustedMs];
      const [row] = await ask<{ mayTry: boolean }>('limits-charge', CHARGE, values);
      return row?.mayTry === true;
    },
    forgive: async ({ whole, pair }) => {
      await ask(
        'limits-forgive',
        `UPDATE lockouts SET failures = 0, date_until = NULL, date_changed = clock_timestamp(),
           date_succeeded = CASE WHEN key = $2 THEN clock_timestamp() ELSE date_succeeded END
         WHERE key = $1 OR key = $2`,
        [whole, pair],
      );
    },
    removeOld: async (lockoutMs) => {
      await ask('limits-old', 'DELETE FROM rate_limits WHERE date_empty < clock_timestamp()', []);
      const old = `clock_timestamp() - $1::float8 * interval '1 ms'`;
      await ask(
        'lockouts-old',
        `DELETE FROM lockouts WHERE date_changed < ${old} AND (date_until IS NULL OR date_until < clock_timestamp())`,
        [lockoutMs],
      );
    },
    clock: async () => {
      const [row] = await ask<{ now: Date }>('limits-clock', 'SELECT clock_timestamp() AS now', []);
      if (!row) throw new Error('the database returns no time');
      return row.now;
    },
    close: () => pool.end(),
  };
}

/** A limit with a window of a century always has room, so requests that were already served count in full. */
const ENDLESS_MS = 3_155_760_000_000;
