import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Without this row the code of an operator's recovery admits no one. */
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
