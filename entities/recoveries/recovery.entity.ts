import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecoveryKind, RecoveryStatus } from '../../domain/recoveries';
import type { CredentialEntity } from '../credentials/credential.entity';

/** A credential that becomes valid when the recovery is applied; its seed is sealed, its password hashed. */
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

  /** The recovery key that began it; null if an operator did. */
  @Column('text', { name: 'credential_uuid', nullable: true })
  readonly credentialUuid!: string | null;

  /** The service account that began it; null if the person or an operator did. */
  @Column('text', { name: 'begun_by', nullable: true })
  readonly begunBy!: string | null;

  /** The first one is the person's main credential; empty once the recovery has ended, and for one that an operator began. */
  @Column('jsonb', { name: 'new_credentials' })
  readonly newCredentials!: readonly PreparedCredential[];

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  /** When it takes effect; until then it can be stopped. An operator's recovery can be stopped until its code, valid from then on, is used. */
  @Column('timestamptz', { name: 'date_effective' })
  readonly dateEffective!: Date;

  /** When the code of an operator's recovery expires; null for others. */
  @Column('timestamptz', { name: 'date_expires', nullable: true })
  readonly dateExpires!: Date | null;

  @Column('timestamptz', { name: 'date_ended', nullable: true })
  readonly dateEnded!: Date | null;

  /** The user who stopped it; null if it was applied or could not be. */
  @Column('text', { name: 'ended_by', nullable: true })
  readonly endedBy!: string | null;
}
