import { GUESS_RULES } from '../domain/rate-limits';
import type { LimitStore } from '../entities/limits/limit.store';
import type { Logger } from '../platform/logger';
import { CLOCK_SKEW_MAX_SECONDS } from '../platform/token-keys';

const TIDY_MS = 10 * 60_000;

/** Removes counts that no longer count, now and then; which process does so does not matter. Answers what stops it. */
export function keepLimitsTidy(store: LimitStore, logger: Logger): () => void {
  const timer = setInterval(() => {
    store.removeOld(GUESS_RULES.trustedMs).catch((error: unknown) => logger.warn({ err: error }, 'old limits stay'));
  }, TIDY_MS).unref();
  return () => clearInterval(timer);
}

/** Throws while our clock and the database's are further apart than tokens may be taken for. */
export async function assertClock(store: Pick<LimitStore, 'clock'>): Promise<void> {
  const apartSeconds = Math.abs((await store.clock()).getTime() - Date.now()) / 1_000;
  if (apartSeconds > CLOCK_SKEW_MAX_SECONDS)
    throw new Error(`the clock is ${Math.round(apartSeconds)} seconds from the database's`);
}

/** Says once that somebody forwards requests whom the configuration does not name: all of them count as one client. */
export function warnOfStrangers(logger: Logger): () => void {
  let said = false;
  return () => {
    if (said) return;
    said = true;
    logger.warn('a proxy that TRUSTED_PROXIES does not name forwards requests: its clients are counted as one');
  };
}
