import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Action, ActivityKind, Filters, PolicyMode, Rule } from '../../domain/policies';

/** The whole content of a policy, from one moment until the next version. Rows are inserted and never changed. */
@Entity('policy_versions')
export class PolicyVersionEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'policy_id' })
  readonly policyId!: string;

  /** Counts every change, from 1; the highest is in force. */
  @PrimaryColumn('integer', { name: 'revision' })
  readonly revision!: number;

  /** Counts the changes that can alter a judgement: approvals are bound to it, so that only renaming a policy requires no new approval. */
  @Column('integer', { name: 'version' })
  readonly version!: number;

  @Column('text', { name: 'status' })
  readonly status!: 'Active' | 'Archived';

  @Column('text', { name: 'name' })
  readonly name!: string;

  @Column('text', { name: 'activity_kind' })
  readonly activityKind!: ActivityKind;

  @Column('jsonb', { name: 'rule' })
  readonly rule!: Rule;

  @Column('jsonb', { name: 'action' })
  readonly action!: Action;

  @Column('jsonb', { name: 'filters', nullable: true })
  readonly filters!: Filters | null;

  @Column('text', { name: 'mode' })
  readonly mode!: PolicyMode;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
