import { invariant } from '../../domain/errors';
import type { Action, ActivityKind, Filters, PolicyMode, Rule } from '../../domain/policies';
import { newId } from '../../platform/ids';
import type { Reader, Tx } from '../database';
import type { SqlValue } from '../read-message';
import { PolicyEntity } from './policy.entity';
import { PolicyVersionEntity } from './policy-version.entity';

export type Policy = Omit<PolicyVersionEntity, 'policyId'> & Pick<PolicyEntity, 'id' | 'dateUpdated'>;

export type PolicyContent = {
  readonly name: string;
  readonly activityKind: ActivityKind;
  readonly rule: Rule;
  readonly action: Action;
  readonly filters: Filters | null;
  /** If absent, a new policy gets `Enforce`, and an update keeps the mode. */
  readonly mode?: PolicyMode;
};

export type PolicyPage = {
  readonly status: 'Active' | 'Archived' | undefined;
  readonly after: string | undefined;
  readonly limit: number;
};

/** SQL: each policy as `p`, with its newest version as `t`. */
export const FROM_NEWEST_POLICIES = `FROM policies p JOIN LATERAL (
    SELECT * FROM policy_versions v WHERE v.org_id = p.org_id AND v.policy_id = p.id ORDER BY v.revision DESC LIMIT 1
  ) t ON true`;
const COLUMNS = `p.org_id AS "orgId", p.id, p.date_created AS "dateCreated", t.date_created AS "dateUpdated", t.revision, t.version, t.status,
  t.name, t.activity_kind AS "activityKind", t.rule, t.action, t.filters, t.mode`;

/** `tail` is the rest of the statement, in which `p` is the policy and `t` is the version. */
const newest = (reader: Reader, tail: string, values: readonly SqlValue[] = []): Promise<Policy[]> =>
  reader.select(`SELECT ${COLUMNS} ${FROM_NEWEST_POLICIES} ${tail}`, values);

export const policyStore = {
  async create(tx: Tx, content: PolicyContent): Promise<string> {
    const { orgId } = tx;
    const id = newId('policy');
    await tx.insert(PolicyEntity, { orgId, id });
    await tx.insert(PolicyVersionEntity, { orgId, policyId: id, revision: 1, version: 1, status: 'Active', ...content });
    return id;
  },

  async find(reader: Reader, policyId: string): Promise<Policy | undefined> {
    return (await newest(reader, 'WHERE p.id = $1', [policyId]))[0];
  },

  /** Versions are added only under this lock. */
  async lock(tx: Tx, policyId: string): Promise<Policy | undefined> {
    // A single statement for lock and read would return the version from before the wait for the lock.
    await tx.row(PolicyEntity, 'WHERE t.id = $1 FOR UPDATE', [policyId]);
    return policyStore.find(tx, policyId);
  },

  /** Absent members stay unchanged. */
  async change(
    tx: Tx,
    policyId: string,
    change: Partial<PolicyContent> & Pick<PolicyVersionEntity, 'version' | 'status'>,
  ): Promise<void> {
    const current = await policyStore.find(tx, policyId);
    invariant(current, `the policy ${policyId} is locked by its caller`);
    const { id: _ofThePolicy, dateCreated: _first, dateUpdated: _last, revision, ...stands } = current;
    await tx.insert(PolicyVersionEntity, { ...stands, ...change, policyId, revision: revision + 1 });
  },

  /** Newest first, plus one row if there is a next page. */
  async page(reader: Reader, { status, after, limit }: PolicyPage): Promise<Policy[]> {
    return newest(
      reader,
      'WHERE ($1::text IS NULL OR t.status = $1) AND ($2::text IS NULL OR p.id < $2) ORDER BY p.id DESC LIMIT $3',
      [status ?? null, after ?? null, limit + 1],
    );
  },

  /** The policies in force that have a filter with at least one of these tags. */
  async filteringBy(reader: Reader, tags: readonly string[]): Promise<Pick<Policy, 'id' | 'name'>[]> {
    return reader.select(
      `SELECT p.id, t.name ${FROM_NEWEST_POLICIES}
       WHERE t.status = 'Active'
         AND (t.filters #> '{walletTags,hasAny}' ?| $1 OR t.filters #> '{walletTags,hasAll}' ?| $1) ORDER BY p.id`,
      [tags],
    );
  },

  async inForce(reader: Reader, activityKind: ActivityKind): Promise<Policy[]> {
    return newest(reader, `WHERE t.activity_kind = $1 AND t.status = 'Active' ORDER BY p.id`, [activityKind]);
  },

  async asking(reader: Reader): Promise<Policy[]> {
    return newest(
      reader,
      `WHERE t.status = 'Active' AND t.mode = 'Enforce' AND t.action ->> 'kind' = 'RequestApproval' ORDER BY p.id`,
    );
  },

  /** Includes policies that are not in force. */
  async among(reader: Reader, policyIds: readonly string[]): Promise<Policy[]> {
    return newest(reader, 'WHERE p.id = ANY($1)', [policyIds]);
  },

  async activeAmong(reader: Reader, policyIds: readonly string[]): Promise<Policy[]> {
    return newest(reader, `WHERE p.id = ANY($1) AND t.status = 'Active'`, [policyIds]);
  },

  /** Includes the approvers of an escalation. */
  async namingApprover(reader: Reader, userId: string): Promise<Pick<Policy, 'id' | 'name'>[]> {
    return reader.select(
      `SELECT p.id, t.name ${FROM_NEWEST_POLICIES}
       WHERE t.status = 'Active'
         AND (
           jsonb_path_exists(t.action, '$.approvalGroups[*].approvers.userId.in[*] ? (@ == $id)', jsonb_build_object('id', $1::text))
           OR jsonb_path_exists(t.action, '$.approvalGroups[*].escalation.approvers.userId.in[*] ? (@ == $id)', jsonb_build_object('id', $1::text))
         )
       ORDER BY p.id`,
      [userId],
    );
  },
};
