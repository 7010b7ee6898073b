import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The signer's statement about the head of an audit log. */
@Entity('audit_checkpoints')
export class AuditCheckpointEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('bigint', { name: 'sequence' })
  readonly sequence!: string;

  @Column('text', { name: 'statement' })
  readonly statement!: string;

  @Column('text', { name: 'signature' })
  readonly signature!: string;
}
