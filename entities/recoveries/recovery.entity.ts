import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecoveryKind, RecoveryStatus } from '../../domain/recoveries';
import type { CredentialEntity } from '../credentials/credential.entity';

/** A credential that becomes valid when the recovery is applied. A seed is sealed, and a password is hashed. */
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

  /** Null if an operator began the recovery. */
  @Column('text', { name: 'credential_uuid', nullable: true })
  readonly credentialUuid!: string | null;

  /** Null if the person or an operator began the recovery. */
  @Column('text', { name: 'begun_by', nullable: true })
  readonly begunBy!: string | null;

  /**
   * The new credentials; the first one is the person's main credential. Empty once the recovery has ended, or if an operator
   * began the recovery.
   */
  @Column('jsonb', { name: 'new_credentials' })
  readonly newCredentials!: readonly PreparedCredential[];

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  /**
   * The recovery is applied at this date and can be stopped until then. If an operator began the recovery, the code is valid from
   * this date, and the recovery can be stopped until the code is used.
   */
  @Column('timestamptz', { name: 'date_effective' })
  readonly dateEffective!: Date;

  /** Null unless an operator began the recovery. */
  @Column('timestamptz', { name: 'date_expires', nullable: true })
  readonly dateExpires!: Date | null;

  @Column('timestamptz', { name: 'date_ended', nullable: true })
  readonly dateEnded!: Date | null;

  /** Null if no user has stopped the recovery. */
  @Column('text', { name: 'ended_by', nullable: true })
  readonly endedBy!: string | null;
}
