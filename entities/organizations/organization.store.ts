import { invariant } from '../../domain/errors';
import { mayExport, type Settings, settingsOf } from '../../domain/settings';
import type { Reader, Tx } from '../database';
import { OrganizationEntity } from './organization.entity';

type Stored = OrganizationEntity['settings'];

/**
 * Each organisation has an advisory lock that keeps evaluations and policy changes in order. The key of the lock has two
 * halves: this number and a hash of the organisation id.
 */
const POLICY_LOCKS = 7_203_115;

/** The policy epoch, and the id of the transaction that wrote this epoch. */
export type PolicyStand = { readonly policyEpoch: number; readonly writtenBy: string };

export const organizationStore = {
  async row(reader: Reader, orgId: string): Promise<OrganizationEntity> {
    const row = await reader.row(OrganizationEntity, 'WHERE t.id = $1', [orgId]);
    invariant(row, 'the organisation exists');
    return row;
  },

  /** The settings in effect now. A stored `keyExport` takes effect only after its waiting time. */
  async settings(reader: Reader, orgId: string): Promise<Settings> {
    const { settings: stored } = await organizationStore.row(reader, orgId);
    const settings = settingsOf(stored);
    if (!settings.keyExport) return settings;
    const [clock] = await reader.select<{ now: Date }>('SELECT clock_timestamp() AS now');
    invariant(clock, 'the database has a clock');
    return { ...settings, keyExport: mayExport(stored, clock.now) };
  },

  /** The row, locked until the transaction ends. Other transactions can still write rows that refer to this row. */
  async lock(tx: Tx): Promise<OrganizationEntity> {
    const row = await tx.row(OrganizationEntity, 'WHERE t.id = $1 FOR NO KEY UPDATE', [tx.orgId]);
    invariant(row, 'the organisation exists');
    return row;
  },

  /** Merges these members into the settings and raises the version. The caller has locked the row. */
  async changeSettings(tx: Tx, change: Stored): Promise<void> {
    await tx.query('UPDATE organizations SET settings = settings || $2::jsonb, version = version + 1 WHERE id = $1', [
      tx.orgId,
      JSON.stringify(change),
    ]);
  },

  /**
   * The number of changes so far that can alter a verdict, such as changes to policies, wallet tags and freezes (P7). Code that
   * acts on a verdict compares this number with the number under which the verdict was given.
   */
  async policyEpoch(reader: Reader, orgId: string): Promise<number> {
    return (await organizationStore.row(reader, orgId)).policyEpoch;
  },

  /**
   * The policy epoch, and the transaction that wrote this epoch. Policies cannot change until the calling transaction `tx`
   * ends, because a policy change waits for every transaction that has called this function (P7). This function in turn waits
   * for a policy change that is under way. The caller must therefore call this function before it locks lanes or usage.
   * Otherwise the caller would keep lanes or usage locked during this wait.
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
   * Waits for the evaluations that are under way, and blocks later evaluations until the transaction ends. This call must be
   * the first statement of a transaction that may change policies. Otherwise the transaction could already hold a lock that an
   * evaluation waits for, while this call waits for that evaluation: a deadlock.
   */
  async beginPolicyChange(tx: Tx): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [POLICY_LOCKS, tx.orgId]);
  },

  /**
   * Makes every earlier verdict obsolete. The caller has called `beginPolicyChange`, unless the change is a freeze. A freeze
   * must never wait. A freeze need not wait either, because every step checks for freezes itself.
   */
  async bumpPolicyEpoch(tx: Tx): Promise<void> {
    const rows = await tx.query('UPDATE organizations SET policy_epoch = policy_epoch + 1 WHERE id = $1 RETURNING id', [
      tx.orgId,
    ]);
    invariant(rows.length === 1, 'the organisation exists');
  },
};
