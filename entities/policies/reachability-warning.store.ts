import { newId } from '../../platform/ids';
import type { Reader, Tx } from '../database';
import { ReachabilityWarningEntity } from './reachability-warning.entity';

type NewWarning = Pick<ReachabilityWarningEntity, 'policyId' | 'cause' | 'userId' | 'findings'>;

export const reachabilityWarningStore = {
  async record(tx: Tx, warning: NewWarning): Promise<void> {
    await tx.insert(ReachabilityWarningEntity, { orgId: tx.orgId, id: newId('reachabilityWarning'), ...warning });
  },

  /** Newest first. */
  async latest(reader: Reader, policyId: string, limit: number): Promise<ReachabilityWarningEntity[]> {
    return reader.rows(ReachabilityWarningEntity, 'WHERE t.policy_id = $1 ORDER BY t.id DESC LIMIT $2', [policyId, limit]);
  },
};
