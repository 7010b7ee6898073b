import type { Reader, Tx } from '../database';
import { FleetOutputEntity } from './fleet-output.entity';

export type NewFleetOutput = Pick<
  FleetOutputEntity,
  'userActionId' | 'groupId' | 'submittedBy' | 'fileChecksum' | 'outputJson' | 'file'
>;

export type OutputRefusal = { readonly manifestDigest: string | null; readonly failedCheck: string; readonly reason: string };

export const fleetOutputStore = {
  /** Returns false if another output of the group is being checked. */
  add: (tx: Tx, output: NewFleetOutput): Promise<boolean> =>
    tx.insertOnce(FleetOutputEntity, { orgId: tx.orgId, status: 'Checking', ...output }),

  find: (reader: Reader, userActionId: string): Promise<FleetOutputEntity | undefined> =>
    reader.row(FleetOutputEntity, 'WHERE t.user_action_id = $1', [userActionId]),

  inState: (reader: Reader, groupId: string, status: 'Checking' | 'Accepted'): Promise<FleetOutputEntity | undefined> =>
    reader.row(FleetOutputEntity, 'WHERE t.group_id = $1 AND t.status = $2', [groupId, status]),

  /** Has no effect on an output that has already been checked. */
  async accept(tx: Tx, userActionId: string, manifestDigest: string | null): Promise<void> {
    await tx.run(
      `UPDATE fleet_outputs SET status = 'Accepted', manifest_digest = $2, date_checked = clock_timestamp()
       WHERE user_action_id = $1 AND status = 'Checking'`,
      [userActionId, manifestDigest],
    );
  },

  /** Deletes the texts. Has no effect on an output that has already been checked. */
  async refuse(tx: Tx, userActionId: string, { manifestDigest, failedCheck, reason }: OutputRefusal): Promise<void> {
    await tx.run(
      `UPDATE fleet_outputs SET status = 'Refused', manifest_digest = $2, failed_check = $3, reason = $4, output_json = NULL,
         file = NULL, date_checked = clock_timestamp()
       WHERE user_action_id = $1 AND status = 'Checking'`,
      [userActionId, manifestDigest, failedCheck, reason],
    );
  },

  /**
   * Digests of manifests that devices have made for outputs that came to nothing, newest first. A manifest that a group has
   * committed is never among them, even if a bad output contains it again.
   */
  async abandoned(reader: Reader, storeId: string, rowsMax: number): Promise<string[]> {
    const rows = await reader.select<{ readonly digest: string }>(
      `SELECT o.manifest_digest AS digest FROM fleet_outputs o JOIN fleet_groups g ON g.org_id = o.org_id AND g.id = o.group_id
       WHERE g.store_id = $1 AND o.manifest_digest IS NOT NULL
       GROUP BY o.manifest_digest HAVING NOT bool_or(g.status = 'Approved' AND o.status = 'Accepted')
       ORDER BY max(o.date_created) DESC LIMIT $2`,
      [storeId, rowsMax],
    );
    return rows.map(({ digest }) => digest);
  },
};
