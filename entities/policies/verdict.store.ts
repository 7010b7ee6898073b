import { newId } from '../../platform/ids';
import type { Tx } from '../database';
import { VerdictEntity } from './verdict.entity';

export type NewVerdict = Pick<
  VerdictEntity,
  'activityKind' | 'activityId' | 'policyEpoch' | 'outcome' | 'facts' | 'evaluations' | 'shadows'
>;

export const verdictStore = {
  /** Records what was decided and on which facts; a verdict is never changed. */
  async record(tx: Tx, verdict: NewVerdict): Promise<string> {
    const id = newId('verdict');
    await tx.insert(VerdictEntity, { orgId: tx.orgId, id, ...verdict });
    return id;
  },
};
