import { invariant } from '../../domain/errors';
import { mayExport, type Settings, settingsOf } from '../../domain/settings';
import type { Reader, Tx } from '../database';
import { OrganizationEntity } from './organization.entity';

type Stored = OrganizationEntity['settings'];

export const organizationStore = {
  async row(reader: Reader, orgId: string): Promise<OrganizationEntity> {
    const row = await reader.row(OrganizationEntity, 'WHERE t.id = $1', [orgId]);
    invariant(row, 'the organisation exists');
    return row;
  },

  /** The settings as they count now: `keyExport` only once the wait after its switch is over. */
  async settings(reader: Reader, orgId: string): Promise<Settings> {
    const { settings: stored } = await organizationStore.row(reader, orgId);
    const settings = settingsOf(stored);
    if (!settings.keyExport) return settings;
    const [clock] = await reader.select<{ now: Date }>('SELECT clock_timestamp() AS now');
    invariant(clock, 'the database has a clock');
    return { ...settings, keyExport: mayExport(stored, clock.now) };
  },

  /** The row, locked until the transaction ends; rows that refer to it can still be written meanwhile. */
  async lock(tx: Tx): Promise<OrganizationEntity> {
    const row = await tx.row(OrganizationEntity, 'WHERE t.id = $1 FOR NO KEY UPDATE', [tx.orgId]);
    invariant(row, 'the organisation exists');
    return row;
  },

  /** Adds these members to the settings, one version on. The caller has locked the row. */
  async changeSettings(tx: Tx, change: Stored): Promise<void> {
    await tx.query('UPDATE organizations SET settings = settings || $2::jsonb, version = version + 1 WHERE id = $1', [
      tx.orgId,
      JSON.stringify(change),
    ]);
  },

  /** The number of changes so far to what policies of the organisation say (P7); whoever acts on a verdict compares it. */
  async policyEpoch(reader: Reader, orgId: string): Promise<number> {
    return (await organizationStore.row(reader, orgId)).policyEpoch;
  },

  /** The epoch with the transaction that wrote the row as this one sees it, be it this one itself. */
  async policyStand(tx: Tx): Promise<{ readonly policyEpoch: number; readonly writtenBy: string }> {
    const [stand] = await tx.query<{ policyEpoch: number; writtenBy: string }>(
      'SELECT policy_epoch AS "policyEpoch", xmin::text AS "writtenBy" FROM organizations WHERE id = $1',
      [tx.orgId],
    );
    invariant(stand, 'the organisation exists');
    return stand;
  },

  /** Makes every verdict reached so far one to be looked at again. */
  async bumpPolicyEpoch(tx: Tx): Promise<void> {
    const rows = await tx.query('UPDATE organizations SET policy_epoch = policy_epoch + 1 WHERE id = $1 RETURNING id', [
      tx.orgId,
    ]);
    invariant(rows.length === 1, 'the organisation exists');
  },
};
