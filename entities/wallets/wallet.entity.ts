import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { WalletNetworkName } from '../../domain/networks';

@Entity('wallets')
export class WalletEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'network' })
  readonly network!: WalletNetworkName;

  @Column('text', { name: 'key_id' })
  readonly keyId!: string;

  @Column('text', { name: 'status' })
  readonly status!: 'Creating' | 'Active' | 'Inactive' | 'Archived';

  @Column('text', { name: 'address', nullable: true })
  readonly address!: string | null;

  @Column('text', { name: 'name', nullable: true })
  readonly name!: string | null;

  @Column('text', { name: 'external_id', nullable: true })
  readonly externalId!: string | null;

  @Column('text', { name: 'request_digest' })
  readonly requestDigest!: string;

  @Column('text', { name: 'created_by' })
  readonly createdBy!: string;

  /** The user action that created the wallet, if the creation amends the charter of the organisation. */
  @Column('text', { name: 'amending_action_id', nullable: true })
  readonly amendingActionId!: string | null;

  @Column('integer', { name: 'version' })
  readonly version!: number;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_deleted', nullable: true })
  readonly dateDeleted!: Date | null;
}
