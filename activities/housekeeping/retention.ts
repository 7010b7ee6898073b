import { DAY_MS } from '../../domain/durations';
import type { DutyResult } from '../../domain/housekeeping';
import type { RemovableTable } from '../../entities/housekeeping/housekeeping.store';
import type { DutyParts } from './duty';

/** A row that has waited this long is late. The limit is ten times the longest wait in normal operation. */
const LATE_FOR_MS = 5 * 60_000;
const USER_ACTION_DAYS = 1;
const CHALLENGE_DAYS = 1;
const MAIL_DAYS = 1;
const CALLBACK_DAYS = 1;
const KEY_REQUEST_DAYS = 1;
/** The API promises this number of days. */
const WEBHOOK_EVENT_DAYS = 31;
const BATCH_ROWS_MAX = 1_000;
/** A round does not start another statement after this time. */
const ROUND_MS = 20_000;

export function createRetention({ housekeeping, logger, outboxRetentionDays }: DutyParts) {
  const remove = (table: RemovableTable, days: number) => async (): Promise<DutyResult> => {
    const ends = performance.now() + ROUND_MS;
    let removed = 0;
    for (;;) {
      const now = await housekeeping.remove(table, days * DAY_MS, BATCH_ROWS_MAX);
      removed += now;
      if (now < BATCH_ROWS_MAX) return { looked: removed, done: removed };
      if (performance.now() > ends) return { looked: removed, done: removed, next: table };
    }
  };

  return {
    watchOutbox: async (): Promise<DutyResult> => {
      const { waiting, oldestSeconds, attemptsMax } = await housekeeping.outboxLag(LATE_FOR_MS);
      if (waiting > 0) {
        const reason = `the oldest was written ${Math.round(oldestSeconds)} seconds ago`;
        const advice = 'outbox rows have waited too long: the warnings of the relay name what it cannot reach';
        logger.error({ count: waiting, attempts: attemptsMax, reason }, advice);
      }
      return { looked: waiting, done: 0 };
    },
    userActions: remove('user_actions', USER_ACTION_DAYS),
    webhookEvents: remove('webhook_events', WEBHOOK_EVENT_DAYS),
    mails: remove('mails', MAIL_DAYS),
    challenges: remove('challenges', CHALLENGE_DAYS),
    oneTimeCodes: remove('one_time_codes', CHALLENGE_DAYS),
    usedIdTokens: remove('used_id_tokens', CHALLENGE_DAYS),
    travelRuleCallbacks: remove('travel_rule_callbacks', CALLBACK_DAYS),
    keyRequests: remove('key_requests', KEY_REQUEST_DAYS),
    outboxRows: remove('outbox', outboxRetentionDays),
  };
}
