import { auditEntryStore } from '../audit-logs/audit-entry.store';
import { asOwner, inOwnerTransaction } from './as-owner';

/** A second freeze keeps the date and kind, and appends its reason. */
const FREEZE_BY_HAND = `UPDATE deployment SET date_frozen = COALESCE(date_frozen, clock_timestamp()),
  freeze_kind = CASE WHEN date_frozen IS NULL THEN 'Operator' ELSE freeze_kind END,
  reason = CASE WHEN date_frozen IS NULL THEN $1 ELSE concat_ws('; ', reason, $1::text) END`;

const RELEASE = `UPDATE deployment SET date_frozen = NULL, reason = NULL, date_released = clock_timestamp() WHERE date_frozen IS NOT NULL`;

/** Only the owner role may begin or end the freeze. */
export const freezeStore = {
  find: (ownerUrl: string): Promise<{ readonly dateFrozen: Date | null; readonly reason: string | null } | undefined> =>
    asOwner(ownerUrl, async (client) => {
      const { rows } = await client.query<{ dateFrozen: Date | null; reason: string | null }>(
        'SELECT date_frozen AS "dateFrozen", reason FROM deployment',
      );
      return rows[0];
    }),

  freeze: (ownerUrl: string, reason: string): Promise<void> =>
    inOwnerTransaction(ownerUrl, async (client) => {
      await client.query(FREEZE_BY_HAND, [reason]);
      await auditEntryStore.commandOnAll(client, 'freeze', { reason });
    }),

  thaw: (ownerUrl: string): Promise<void> =>
    inOwnerTransaction(ownerUrl, async (client) => {
      await client.query(RELEASE);
      await auditEntryStore.commandOnAll(client, 'reconcile --release', {});
    }),
};
