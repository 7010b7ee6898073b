/** Each index contains only open rows, or sorts rows by age, so a search for open or overdue rows does not read ended rows. */
const indexes = `
CREATE INDEX transfers_open ON transfers (org_id, id) INCLUDE (state, network, date_requested)
  WHERE state NOT IN ('Confirmed', 'Failed', 'Rejected');
CREATE INDEX approvals_pending ON approvals (org_id, id) INCLUDE (activity_kind, date_created) WHERE status = 'Pending';
CREATE INDEX wallets_creating ON wallets (org_id, id) WHERE status = 'Creating';
CREATE INDEX webhook_events_by_date ON webhook_events (date_created);
CREATE INDEX webhook_events_due ON webhook_events (next_attempt_date) WHERE next_attempt_date IS NOT NULL;
CREATE INDEX webhook_events_unsettled ON webhook_events (org_id, id) WHERE delivery_failed IS NULL;
CREATE INDEX user_actions_unused ON user_actions (date_expires) WHERE date_consumed IS NULL;
CREATE INDEX outbox_relayed ON outbox (date_relayed) WHERE date_relayed IS NOT NULL;
`;

/** The relay role works for all organisations, so the role sees only ids, states, networks and dates (S15). */
const READABLE = {
  organizations: 'id',
  transfers: 'org_id, id, network, state, approval_id, date_requested',
  approvals: 'org_id, id, activity_kind, status, date_created',
  wallets: 'org_id, id, network, status, date_created',
  claims: 'org_id, id, transfer_id, network, lane, state, date_created',
  webhook_events:
    'org_id, id, webhook_id, event_id, retry_of, status, delivery_attempt, delivery_failed, next_attempt_date, date_created',
  user_actions: 'org_id, id, date_expires, date_signed, date_consumed',
} as const;

const reading = Object.entries(READABLE).map(
  ([table, columns]) => `
CREATE POLICY of_relay ON ${table} FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (${columns}) ON ${table} TO strongroom_relay;`,
);

/**
 * The database enforces the minimum age of removable rows, so that no fault in the code removes a row too early. A consumed user
 * action is evidence (S2) and can never be removed. The policies are also restrictive, because a policy that allows everything,
 * such as the policy of the outbox, would otherwise override these policies.
 */
const REMOVABLE = {
  webhook_events: `date_created < clock_timestamp() - interval '31 days'`,
  user_actions: `date_consumed IS NULL AND date_expires < clock_timestamp() - interval '1 day'`,
  outbox: `date_relayed < clock_timestamp() - interval '1 day'`,
} as const;

const removing = Object.entries(REMOVABLE).map(
  ([table, old]) => `
CREATE POLICY when_old ON ${table} AS RESTRICTIVE FOR DELETE TO strongroom_relay USING (${old});
CREATE POLICY remove_old ON ${table} FOR DELETE TO strongroom_relay USING (${old});
GRANT DELETE ON ${table} TO strongroom_relay;`,
);

/**
 * The rows that the housekeeping schedules may see and remove, and the indexes that make reading and removing these rows cheap.
 */
export const keepHouseSql = [indexes, ...reading, ...removing].join('\n');
