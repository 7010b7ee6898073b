import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('access_tokens')
export class AccessTokenEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'user_id' })
  readonly userId!: string;

  @Column('text', { name: 'kind' })
  readonly kind!: 'Token' | 'Pat' | 'ServiceAccount';

  @Column('text', { name: 'credential_id', nullable: true })
  readonly credentialId!: string | null;

  /** The row id of the credential that was the first factor of the login; null if no login created the token. */
  @Column('text', { name: 'opened_by', nullable: true })
  readonly openedBy!: string | null;

  @Column('boolean', { name: 'is_active' })
  readonly isActive!: boolean;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_expires' })
  readonly dateExpires!: Date;

  /** SHA-256 of the token as hex; null makes the token unusable. */
  @Column('text', { name: 'token_digest', nullable: true })
  readonly tokenDigest!: string | null;

  @Column('text', { name: 'name' })
  readonly name!: string;

  @Column('text', { name: 'external_id', nullable: true })
  readonly externalId!: string | null;

  /** A restricted token has only the permissions that are assigned to the token itself. */
  @Column('boolean', { name: 'is_restricted' })
  readonly isRestricted!: boolean;

  @Column('timestamptz', { name: 'date_removed', nullable: true })
  readonly dateRemoved!: Date | null;
}
