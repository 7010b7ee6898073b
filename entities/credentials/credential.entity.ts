import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CredentialKind } from '../../domain/credentials';

@Entity('credentials')
export class CredentialEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'user_id' })
  readonly userId!: string;

  @Column('text', { name: 'kind' })
  readonly kind!: CredentialKind;

  @Column('text', { name: 'credential_id' })
  readonly credentialId!: string;

  @Column('text', { name: 'name' })
  readonly name!: string;

  @Column('text', { name: 'public_key' })
  readonly publicKey!: string;

  @Column('boolean', { name: 'is_active' })
  readonly isActive!: boolean;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('text', { name: 'encrypted_private_key', nullable: true })
  readonly encryptedPrivateKey!: string | null;

  /** The argon2id hash of a password, or the sealed seed of one-time passwords. */
  @Column('text', { name: 'secret', nullable: true })
  readonly secret!: string | null;

  /** The counter at the last use of a passkey, as decimal digits. */
  @Column('bigint', { name: 'sign_count' })
  readonly signCount!: string;

  /** The latest used time step of a one-time password, as decimal digits (RFC 6238). */
  @Column('bigint', { name: 'last_step', nullable: true })
  readonly lastStep!: string | null;

  @Column('text', { name: 'relying_party_id' })
  readonly relyingPartyId!: string;

  @Column('text', { name: 'origin' })
  readonly origin!: string;

  /**
   * True for a credential that belongs to an access token. Such a credential signs only for this token, and is not listed among
   * the user's credentials.
   */
  @Column('boolean', { name: 'is_token_bound' })
  readonly isTokenBound!: boolean;

  /**
   * Set when the owner deletes the credential or a recovery voids it. The credential can then never be used or activated again.
   */
  @Column('timestamptz', { name: 'date_removed', nullable: true })
  readonly dateRemoved!: Date | null;
}
