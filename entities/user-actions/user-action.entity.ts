import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CredentialKind } from '../../domain/credentials';

@Entity('user_actions')
export class UserActionEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'user_id' })
  readonly userId!: string;

  @Column('text', { name: 'token_id' })
  readonly tokenId!: string;

  @Column('text', { name: 'method' })
  readonly method!: string;

  @Column('text', { name: 'path' })
  readonly path!: string;

  @Column('text', { name: 'body_sha256' })
  readonly bodySha256!: string;

  @Column('text', { name: 'approval_digest', nullable: true })
  readonly approvalDigest!: string | null;

  /** The approvals that `approvalDigest` covers, if the digest covers several. */
  @Column('jsonb', { name: 'decided', nullable: true })
  readonly decided!: readonly { readonly approvalId: string; readonly digest: string | null }[] | null;

  @Column('jsonb', { name: 'credential_ids' })
  readonly credentialIds!: readonly string[];

  @Column('text', { name: 'nonce' })
  readonly nonce!: string;

  @Column('text', { name: 'challenge' })
  readonly challenge!: string;

  /**
   * The signer's anchor (a short text that dates the action); null if the API had no recent anchor, and for actions from earlier
   * releases.
   */
  @Column('text', { name: 'anchor', nullable: true })
  readonly anchor!: string | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_expires' })
  readonly dateExpires!: Date;

  @Column('text', { name: 'credential_uuid', nullable: true })
  readonly credentialUuid!: string | null;

  @Column('text', { name: 'public_key', nullable: true })
  readonly publicKey!: string | null;

  @Column('text', { name: 'client_data', nullable: true })
  readonly clientData!: string | null;

  @Column('text', { name: 'signature', nullable: true })
  readonly signature!: string | null;

  @Column('timestamptz', { name: 'date_signed', nullable: true })
  readonly dateSigned!: Date | null;

  @Column('timestamptz', { name: 'date_consumed', nullable: true })
  readonly dateConsumed!: Date | null;

  @Column('text', { name: 'authenticator_data', nullable: true })
  readonly authenticatorData!: string | null;

  @Column('text', { name: 'first_factor_kind', nullable: true })
  readonly firstFactorKind!: CredentialKind | null;

  /** As sent, without secrets. */
  @Column('jsonb', { name: 'second_factor', nullable: true })
  readonly secondFactor!: Readonly<Record<string, unknown>> | null;

  /** Null if only the digest is stored. */
  @Column('text', { name: 'sealed_body', nullable: true })
  readonly sealedBody!: string | null;

  /**
   * The challenge, sealed by the API as proof that the API accepted factors that do not produce a signature. Null if every factor
   * produced a signature.
   */
  @Column('text', { name: 'witness', nullable: true })
  readonly witness!: string | null;

  /**
   * True if the action is older than the migration that added `sealed_body` and `witness`. Only that migration can set the value.
   */
  @Column({ type: 'boolean', name: 'is_earlier', insert: false, update: false })
  readonly isEarlier!: boolean;
}
