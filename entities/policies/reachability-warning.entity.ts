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

  /** The name of the change that caused the warning. */
  @Column('text', { name: 'cause' })
  readonly cause!: string;

  /** Null for a change that took effect after approval. */
  @Column('text', { name: 'user_id', nullable: true })
  readonly userId!: string | null;

  @Column('jsonb', { name: 'findings' })
  readonly findings!: readonly UnreachableGroup[];

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
