import { invariant } from '../../domain/errors';
import type { Reader, Tx } from '../database';
import { OrganizationEntity } from './organization.entity';

export const organizationStore = {
  /** The number of changes so far to what policies of the organisation say (P7); whoever acts on a verdict compares it. */
  async policyEpoch(reader: Reader, orgId: string): Promise<number> {
    const row = await reader.row(OrganizationEntity, 'WHERE t.id = $1', [orgId]);
    invariant(row, 'the organisation exists');
    return row.policyEpoch;
  },

  /** Makes every verdict reached so far one to be looked at again. */
  async bumpPolicyEpoch(tx: Tx): Promise<void> {
    const rows = await tx.query('UPDATE organizations SET policy_epoch = policy_epoch + 1 WHERE id = $1 RETURNING id', [
      tx.orgId,
    ]);
    invariant(rows.length === 1, 'the organisation exists');
  },
};
