import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { UnreachableGroup } from '../../domain/reachability';

@Entity('reachability_warnings')
export class ReachabilityWarningEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'policy_id' })
  readonly policyId!: string;

  /** The change that caused it, in the service's own words. */
  @Column('text', { name: 'cause' })
  readonly cause!: string;

  /** The user who changed it; null if an approved change took effect. */
  @Column('text', { name: 'user_id', nullable: true })
  readonly userId!: string | null;

  @Column('jsonb', { name: 'findings' })
  readonly findings!: readonly UnreachableGroup[];

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
