import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The fleet of one offline key store, with the newest manifest that an approved group has committed. */
@Entity('fleets')
export class FleetEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'store_id' })
  readonly storeId!: string;

  @Column('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'label' })
  readonly label!: string;

  /** Null until the genesis is approved, like `manifest` and `n`. */
  @Column('text', { name: 'manifest_digest', nullable: true })
  readonly manifestDigest!: string | null;

  /** The signed manifest as canonical JSON. */
  @Column('text', { name: 'manifest', nullable: true })
  readonly manifest!: string | null;

  /** The position of the manifest in the chain of manifests. */
  @Column('integer', { name: 'n', nullable: true })
  readonly n!: number | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_updated', nullable: true })
  readonly dateUpdated!: Date | null;
}
