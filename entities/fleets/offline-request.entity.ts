import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The same form as a signature of the signer. */
export type DeviceSignature = { readonly r: string; readonly s: string; readonly recoveryId?: 0 | 1 };

/** A request whose key lies in an offline store. `requestId` is the id of a transfer, a transaction or a signature request. */
@Entity('offline_requests')
export class OfflineRequestEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'request_id' })
  readonly requestId!: string;

  /** The signer's operation for the request. */
  @Column('text', { name: 'op' })
  readonly op!: string;

  @Column('text', { name: 'key_id' })
  readonly keyId!: string;

  @Column('text', { name: 'store_id' })
  readonly storeId!: string;

  /** The digest of the content to sign. A request never gets a signature over other content. */
  @Column('text', { name: 'content_digest' })
  readonly contentDigest!: string;

  /** The open group that carries the request, or the group that brought the signatures. */
  @Column('text', { name: 'group_id', nullable: true })
  readonly groupId!: string | null;

  /** The order that the signer has vouched for, as canonical JSON. */
  @Column('text', { name: 'vouched_order', nullable: true })
  readonly vouchedOrder!: string | null;

  /** The digest that the signer returns with its signatures, as the signer has computed it for the order. */
  @Column('text', { name: 'digest_hex', nullable: true })
  readonly digestHex!: string | null;

  /** The bytes that the device has to sign, in hex, in the order of the signatures. */
  @Column('jsonb', { name: 'messages', nullable: true })
  readonly messages!: readonly string[] | null;

  @Column('jsonb', { name: 'signatures', nullable: true })
  readonly signatures!: readonly DeviceSignature[] | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_collected', nullable: true })
  readonly dateCollected!: Date | null;

  @Column('timestamptz', { name: 'date_signed', nullable: true })
  readonly dateSigned!: Date | null;
}
