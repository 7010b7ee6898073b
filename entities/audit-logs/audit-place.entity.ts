import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The place of an entry in the chain. A place never changes. */
@Entity('audit_places')
export class AuditPlaceEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('bigint', { name: 'sequence' })
  readonly sequence!: string;

  @Column('text', { name: 'entry_id' })
  readonly entryId!: string;

  @Column('bytea', { name: 'digest' })
  readonly digest!: Buffer;

  @Column('bytea', { name: 'hash' })
  readonly hash!: Buffer;
}
