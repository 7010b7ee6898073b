import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuditKind } from '../../domain/audit';

/** An entry of the audit log. An entry never changes. */
@Entity('audit_entries')
export class AuditEntryEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  /** For an entry about a user action, the id of the action, so that each action has only one entry. */
  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'kind' })
  readonly kind!: AuditKind;

  @Column('jsonb', { name: 'data' })
  readonly data!: Readonly<Record<string, unknown>>;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
