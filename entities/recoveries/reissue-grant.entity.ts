import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The permission for a recovery that an operator began. Without this row, the one-time code of the recovery is not accepted.
 */
@Entity('reissue_grants')
export class ReissueGrantEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  /** The id of the recovery. */
  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'user_id' })
  readonly userId!: string;

  @Column('text', { name: 'code_digest' })
  readonly codeDigest!: string;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_effective' })
  readonly dateEffective!: Date;

  @Column('timestamptz', { name: 'date_expires' })
  readonly dateExpires!: Date;
}
