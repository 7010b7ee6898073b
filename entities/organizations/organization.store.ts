import { invariant } from '../../domain/errors';
import { mayExport, type Settings, settingsOf } from '../../domain/settings';
import type { Reader, Tx } from '../database';
import { OrganizationEntity } from './organization.entity';

type Stored = OrganizationEntity['settings'];

/**
 * An advisory lock per organisation keeps evaluations and policy changes in order. The key of the lock consists of this number
 * and a hash of the organisation id.
 */
const POLICY_LOCKS = 7_203_115;

/** `writtenBy` is the id of the transaction that wrote the epoch. */
export type PolicyStand = { readonly policyEpoch: number; readonly writtenBy: string };

export const organizationStore = {
  async row(reader: Reader, orgId: string): Promise<OrganizationEntity> {
    const row = await reader.row(OrganizationEntity, 'WHERE t.id = $1', [orgId]);
    invariant(row, 'the organisation exists');
    return row;
  },

  /** A stored `keyExport` takes effect only after its waiting time. */
  async settings(reader: Reader, orgId: string): Promise<Settings> {
    const { settings: stored } = await organizationStore.row(reader, orgId);
    const settings = settingsOf(stored);
    if (!settings.keyExport) return settings;
    const [clock] = await reader.select<{ now: Date }>('SELECT clock_timestamp() AS now');
    invariant(clock, 'the database has a clock');
    return { ...settings, keyExport: mayExport(stored, clock.now) };
  },

  /** Other transactions can still write rows that refer to the locked row. */
  async lock(tx: Tx): Promise<OrganizationEntity> {
    const row = await tx.row(OrganizationEntity, 'WHERE t.id = $1 FOR NO KEY UPDATE', [tx.orgId]);
    invariant(row, 'the organisation exists');
    return row;
  },

  /** Changes the settings and raises the version. The caller has locked the row. */
  async changeSettings(tx: Tx, change: Stored): Promise<void> {
    await tx.query('UPDATE organizations SET settings = settings || $2::jsonb, version = version + 1 WHERE id = $1', [
      tx.orgId,
      JSON.stringify(change),
    ]);
  },

  /**
   * Counts the changes that can alter a verdict, such as changes to policies, wallet tags and freezes (P7). Code that acts on a
   * verdict compares this number with the epoch of the verdict.
   */
  async policyEpoch(reader: Reader, orgId: string): Promise<number> {
    return (await organizationStore.row(reader, orgId)).policyEpoch;
  },

  /**
   * Policies cannot change until `tx` ends, because a policy change waits for every transaction that has called this function
   * (P7). This function also waits for a policy change under way, so a caller must not have locked lanes (queues of transactions)
   * or usage before.
   */
  async policyStand(tx: Tx): Promise<PolicyStand> {
    const [stand] = await tx.query<PolicyStand>(
      'SELECT epoch AS "policyEpoch", written_by AS "writtenBy" FROM policy_stand($1, $2)',
      [POLICY_LOCKS, tx.orgId],
    );
    invariant(stand, 'the organisation exists');
    return stand;
  },

  /**
   * Waits for the evaluations that are under way, and blocks later evaluations until the transaction ends. This call must be the
   * first statement of the transaction. Otherwise an evaluation that waits for a lock of this transaction would deadlock.
   */
  async beginPolicyChange(tx: Tx): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [POLICY_LOCKS, tx.orgId]);
  },

  /**
   * Makes every earlier verdict obsolete. The caller has called `beginPolicyChange`, unless the change is a freeze: a freeze must
   * never wait, and every step checks for freezes itself.
   */
  async bumpPolicyEpoch(tx: Tx): Promise<void> {
    const rows = await tx.query('UPDATE organizations SET policy_epoch = policy_epoch + 1 WHERE id = $1 RETURNING id', [
      tx.orgId,
    ]);
    invariant(rows.length === 1, 'the organisation exists');
  },
};
