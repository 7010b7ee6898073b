import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * An entry that has no place in the chain yet. A trigger on the table `audit_entries` writes the row in the same transaction as
 * the entry.
 */
@Entity('audit_pending')
export class AuditPendingEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('bigint', { name: 'seq' })
  readonly seq!: string;

  @Column('text', { name: 'entry_id' })
  readonly entryId!: string;
}
