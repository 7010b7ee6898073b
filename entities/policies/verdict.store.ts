import { newId } from '../../platform/ids';
import type { Reader, Tx } from '../database';
import { VerdictEntity } from './verdict.entity';

export type NewVerdict = Pick<
  VerdictEntity,
  'activityKind' | 'activityId' | 'policyEpoch' | 'outcome' | 'facts' | 'evaluations' | 'shadows'
>;

export type ShadowPage = {
  readonly policyId: string;
  readonly triggered?: boolean;
  readonly after: string | undefined;
  readonly limit: number;
};

export const verdictStore = {
  /** A verdict never changes. */
  async record(tx: Tx, verdict: NewVerdict): Promise<string> {
    const id = newId('verdict');
    await tx.insert(VerdictEntity, { orgId: tx.orgId, id, ...verdict });
    return id;
  },

  find: (reader: Reader, id: string): Promise<VerdictEntity | undefined> => reader.row(VerdictEntity, 'WHERE t.id = $1', [id]),

  /**
   * The verdicts that contain an outcome of this policy in the mode `Shadow`. Newest first, plus one row if there is a next page.
   */
  async shadowed(reader: Reader, { policyId, triggered, after, limit }: ShadowPage): Promise<VerdictEntity[]> {
    const found = [{ policyId, ...(triggered === undefined ? {} : { triggered }) }];
    return reader.rows(
      VerdictEntity,
      `WHERE t.shadows <> '[]' AND t.shadows @> $1::jsonb AND ($2::text IS NULL OR t.id < $2) ORDER BY t.id DESC LIMIT $3`,
      [JSON.stringify(found), after ?? null, limit + 1],
    );
  },
};
