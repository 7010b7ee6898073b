import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('challenges')
export class ChallengeEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'kind' })
  readonly kind!: 'Login' | 'Registration' | 'Credential' | 'Recovery' | 'Oidc';

  @Column('text', { name: 'user_id', nullable: true })
  readonly userId!: string | null;

  /** The challenge exactly as the caller received it. */
  @Column('text', { name: 'challenge' })
  readonly challenge!: string;

  /** Secrets in the data are sealed. */
  @Column('jsonb', { name: 'data' })
  readonly data!: Readonly<Record<string, unknown>>;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_expires' })
  readonly dateExpires!: Date;

  @Column('timestamptz', { name: 'date_consumed', nullable: true })
  readonly dateConsumed!: Date | null;
}
