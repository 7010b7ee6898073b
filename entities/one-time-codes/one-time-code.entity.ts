import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('one_time_codes')
export class OneTimeCodeEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'user_id' })
  readonly userId!: string;

  @Column('text', { name: 'purpose' })
  readonly purpose!: 'Registration' | 'Login' | 'Recovery' | 'Credential';

  /**
   * The HMAC of the code. The key of the HMAC is not in the database. A plain hash would reveal the code, because codes are
   * short.
   */
  @Column('text', { name: 'code_digest' })
  readonly codeDigest!: string;

  /** The number of wrong codes so far. */
  @Column('integer', { name: 'attempts' })
  readonly attempts!: number;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_expires' })
  readonly dateExpires!: Date;

  @Column('timestamptz', { name: 'date_consumed', nullable: true })
  readonly dateConsumed!: Date | null;
}
