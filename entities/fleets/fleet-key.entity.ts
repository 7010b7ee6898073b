import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FleetCurve } from '../../domain/fleets';

/** A key of an offline store, as an approved group has recorded it. */
@Entity('fleet_keys')
export class FleetKeyEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'store_id' })
  readonly storeId!: string;

  @PrimaryColumn('text', { name: 'curve' })
  readonly curve!: FleetCurve;

  /** The hardened level in the path of the key. */
  @PrimaryColumn('integer', { name: 'index' })
  readonly index!: number;

  /** In hex; compressed on secp256k1. */
  @Column('text', { name: 'public_key' })
  readonly publicKey!: string;

  @Column('text', { name: 'state' })
  readonly state!: 'Available' | 'Assigned' | 'Retired';

  /** The key that took this key from the pool. */
  @Column('text', { name: 'key_id', nullable: true })
  readonly keyId!: string | null;

  /** The group that made the key. */
  @Column('text', { name: 'group_id' })
  readonly groupId!: string;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
