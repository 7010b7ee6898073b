import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecoveryKind, RecoveryStatus } from '../../domain/recoveries';
import type { CredentialEntity } from '../credentials/credential.entity';

/**
 * A credential that becomes valid when the recovery is applied. If the credential has a seed, the seed is sealed. If the
 * credential has a password, the password is hashed.
 */
export type PreparedCredential = Omit<
  CredentialEntity,
  'orgId' | 'userId' | 'isActive' | 'isTokenBound' | 'dateCreated' | 'dateRemoved'
>;

@Entity('recoveries')
export class RecoveryEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'user_id' })
  readonly userId!: string;

  @Column('text', { name: 'status' })
  readonly status!: RecoveryStatus;

  @Column('text', { name: 'kind' })
  readonly kind!: RecoveryKind;

  /** The recovery key that began the recovery; null if an operator began the recovery. */
  @Column('text', { name: 'credential_uuid', nullable: true })
  readonly credentialUuid!: string | null;

  /** The service account that began the recovery; null if the person or an operator began the recovery. */
  @Column('text', { name: 'begun_by', nullable: true })
  readonly begunBy!: string | null;

  /**
   * The new credentials; the first is the main credential of the person. Empty once the recovery has ended. Always empty if an
   * operator began the recovery.
   */
  @Column('jsonb', { name: 'new_credentials' })
  readonly newCredentials!: readonly PreparedCredential[];

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  /**
   * When the recovery takes effect. Until then the recovery can be stopped. If an operator began the recovery, the code of the
   * recovery is valid from this date. Such a recovery can be stopped until the code is used.
   */
  @Column('timestamptz', { name: 'date_effective' })
  readonly dateEffective!: Date;

  /** When the code of an operator's recovery expires; null for every other recovery. */
  @Column('timestamptz', { name: 'date_expires', nullable: true })
  readonly dateExpires!: Date | null;

  @Column('timestamptz', { name: 'date_ended', nullable: true })
  readonly dateEnded!: Date | null;

  /**
   * The user who stopped the recovery. Null if no user has stopped the recovery: the recovery is pending, was applied, or could
   * not be applied.
   */
  @Column('text', { name: 'ended_by', nullable: true })
  readonly endedBy!: string | null;
}
