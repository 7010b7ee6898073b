import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AddressWatchNetwork, AddressWatchStatus } from '../../domain/address-watches';
import type { NetworkName } from '../../domain/networks';

@Entity('address_watches')
export class AddressWatchEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'network' })
  readonly network!: AddressWatchNetwork & NetworkName;

  /** The address in the canonical spelling of the network. */
  @Column('text', { name: 'address' })
  readonly address!: string;

  @Column('text', { name: 'name', nullable: true })
  readonly name!: string | null;

  @Column('text', { name: 'external_id', nullable: true })
  readonly externalId!: string | null;

  @Column('text', { name: 'tags', array: true })
  readonly tags!: readonly string[];

  @Column('text', { name: 'status' })
  readonly status!: AddressWatchStatus;

  /** The digest of the last request that started or restarted the watch. */
  @Column('text', { name: 'request_digest' })
  readonly requestDigest!: string;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  /** Null while the watch is active. */
  @Column('timestamptz', { name: 'date_deleted', nullable: true })
  readonly dateDeleted!: Date | null;
}
