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

  /** An HMAC with a key outside the database, because codes are short and a plain hash would reveal the code. */
  @Column('text', { name: 'code_digest' })
  readonly codeDigest!: string;

  @Column('integer', { name: 'attempts' })
  readonly attempts!: number;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_expires' })
  readonly dateExpires!: Date;

  @Column('timestamptz', { name: 'date_consumed', nullable: true })
  readonly dateConsumed!: Date | null;
}
