import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Action, ActivityKind, Filters, PolicyMode, Rule } from '../../domain/policies';

@Entity('policies')
export class PolicyEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'name' })
  readonly name!: string;

  @Column('text', { name: 'status' })
  readonly status!: 'Active' | 'Archived';

  @Column('text', { name: 'activity_kind' })
  readonly activityKind!: ActivityKind;

  @Column('jsonb', { name: 'rule' })
  readonly rule!: Rule;

  @Column('jsonb', { name: 'action' })
  readonly action!: Action;

  @Column('jsonb', { name: 'filters', nullable: true })
  readonly filters!: Filters | null;

  @Column('integer', { name: 'version' })
  readonly version!: number;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_updated' })
  readonly dateUpdated!: Date;

  @Column('text', { name: 'mode' })
  readonly mode!: PolicyMode;
}
