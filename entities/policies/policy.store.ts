import type { Action, ActivityKind, Filters, PolicyMode, Rule } from '../../domain/policies';
import { newId } from '../../platform/ids';
import type { Reader, Tx } from '../database';
import { PolicyEntity } from './policy.entity';

export type PolicyContent = {
  readonly name: string;
  readonly activityKind: ActivityKind;
  readonly rule: Rule;
  readonly action: Action;
  readonly filters: Filters | null;
  /** Absent means `Enforce` at creation, and no change afterwards. */
  readonly mode?: PolicyMode;
};

export type PolicyPage = {
  readonly status: 'Active' | 'Archived' | undefined;
  readonly after: string | undefined;
  readonly limit: number;
};

export const policyStore = {
  async create(tx: Tx, content: PolicyContent): Promise<string> {
    const id = newId('policy');
    await tx.insert(PolicyEntity, { orgId: tx.orgId, id, status: 'Active', version: 1, ...content });
    return id;
  },

  async find(reader: Reader, policyId: string): Promise<PolicyEntity | undefined> {
    return reader.row(PolicyEntity, 'WHERE t.id = $1', [policyId]);
  },

  /** The row, locked until the transaction ends. */
  async lock(tx: Tx, policyId: string): Promise<PolicyEntity | undefined> {
    return tx.row(PolicyEntity, 'WHERE t.id = $1 FOR UPDATE', [policyId]);
  },

  async change(tx: Tx, policyId: string, set: Partial<PolicyContent> & Pick<PolicyEntity, 'version' | 'status'>): Promise<void> {
    await tx.update(PolicyEntity, { id: policyId }, { ...set, dateUpdated: await tx.clock() });
  },

  /** One more than a page, newest first. */
  async page(reader: Reader, { status, after, limit }: PolicyPage): Promise<PolicyEntity[]> {
    return reader.rows(
      PolicyEntity,
      'WHERE ($1::text IS NULL OR t.status = $1) AND ($2::text IS NULL OR t.id < $2) ORDER BY t.id DESC LIMIT $3',
      [status ?? null, after ?? null, limit + 1],
    );
  },

  /** Policies in force whose filters look at one of these tags. */
  async filteringBy(reader: Reader, tags: readonly string[]): Promise<Pick<PolicyEntity, 'id' | 'name'>[]> {
    return reader.select(
      `SELECT t.id, t.name FROM policies t
       WHERE t.status = 'Active'
         AND (t.filters #> '{walletTags,hasAny}' ?| $1 OR t.filters #> '{walletTags,hasAll}' ?| $1) ORDER BY t.id`,
      [tags],
    );
  },

  /** Whole rows of every policy that judges activities of this kind now. */
  async inForce(reader: Reader, activityKind: ActivityKind): Promise<PolicyEntity[]> {
    return reader.rows(PolicyEntity, `WHERE t.activity_kind = $1 AND t.status = 'Active' ORDER BY t.id`, [activityKind]);
  },

  /** Those of these policies that are in force. */
  async activeAmong(reader: Reader, policyIds: readonly string[]): Promise<PolicyEntity[]> {
    return reader.rows(PolicyEntity, `WHERE t.id = ANY($1) AND t.status = 'Active'`, [policyIds]);
  },

  /** Policies in force that name this user as an approver, be it after an escalation. */
  async namingApprover(reader: Reader, userId: string): Promise<Pick<PolicyEntity, 'id' | 'name'>[]> {
    return reader.select(
      `SELECT t.id, t.name FROM policies t
       WHERE t.status = 'Active'
         AND (
           jsonb_path_exists(t.action, '$.approvalGroups[*].approvers.userId.in[*] ? (@ == $id)', jsonb_build_object('id', $1::text))
           OR jsonb_path_exists(t.action, '$.approvalGroups[*].escalation.approvers.userId.in[*] ? (@ == $id)', jsonb_build_object('id', $1::text))
         )
       ORDER BY t.id`,
      [userId],
    );
  },
};
