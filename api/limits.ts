import { GUESS_RULES } from '../domain/rate-limits';
import type { LimitStore } from '../entities/limits/limit.store';
import type { Logger } from '../platform/logger';
import { CLOCK_SKEW_MAX_SECONDS } from '../platform/token-keys';

const TIDY_MS = 10 * 60_000;

/** Removes expired limits every ten minutes; several processes may do so at once. The returned function stops the removals. */
export function keepLimitsTidy(store: LimitStore, logger: Logger): () => void {
  const timer = setInterval(() => {
    store.removeOld(GUESS_RULES.trustedMs).catch((error: unknown) => logger.warn({ err: error }, 'cannot remove expired limits'));
  }, TIDY_MS).unref();
  return () => clearInterval(timer);
}

/** Throws if our clock and the database's clock differ by more than the skew that tokens allow. */
export async function assertClock(store: Pick<LimitStore, 'clock'>): Promise<void> {
  const apartSeconds = Math.abs((await store.clock()).getTime() - Date.now()) / 1_000;
  if (apartSeconds > CLOCK_SKEW_MAX_SECONDS)
    throw new Error(`the clock differs from the database's by ${Math.round(apartSeconds)} seconds`);
}

/**
 * The returned function logs one warning about a proxy that is missing from the configuration. The limits treat all clients of
 * such a proxy as one client.
 */
export function warnOfStrangers(logger: Logger): () => void {
  let said = false;
  return () => {
    if (said) return;
    said = true;
    logger.warn('a proxy not in TRUSTED_PROXIES forwards requests: all of its clients count as one');
  };
}
