import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An output as a caller submitted it. The user action of the submission identifies the output. */
@Entity('fleet_outputs')
export class FleetOutputEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'user_action_id' })
  readonly userActionId!: string;

  @Column('text', { name: 'group_id' })
  readonly groupId!: string;

  @Column('text', { name: 'submitted_by' })
  readonly submittedBy!: string;

  @Column('text', { name: 'status' })
  readonly status!: 'Checking' | 'Accepted' | 'Refused';

  @Column('text', { name: 'file_checksum' })
  readonly fileChecksum!: string;

  /** Null after a refusal, like `file`. */
  @Column('text', { name: 'output_json', nullable: true })
  readonly outputJson!: string | null;

  @Column('text', { name: 'file', nullable: true })
  readonly file!: string | null;

  /** The digest of the manifest in the file; null if the output has none. */
  @Column('text', { name: 'manifest_digest', nullable: true })
  readonly manifestDigest!: string | null;

  @Column('text', { name: 'failed_check', nullable: true })
  readonly failedCheck!: string | null;

  @Column('text', { name: 'reason', nullable: true })
  readonly reason!: string | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_checked', nullable: true })
  readonly dateChecked!: Date | null;
}
