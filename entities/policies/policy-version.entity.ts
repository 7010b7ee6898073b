import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Action, ActivityKind, Filters, PolicyMode, Rule } from '../../domain/policies';

/** The whole content of a policy until its next version. Rows are never updated. */
@Entity('policy_versions')
export class PolicyVersionEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'policy_id' })
  readonly policyId!: string;

  /** Begins at 1 and rises with every change. The version with the highest revision is in force. */
  @PrimaryColumn('integer', { name: 'revision' })
  readonly revision!: number;

  /**
   * Rises only with a change that can alter a judgement. Approvals are bound to this number, so a new name requires no
   * new approval.
   */
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
