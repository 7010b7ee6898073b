import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { KeyCurve, KeyScheme } from '../../domain/keys';

@Entity('keys')
export class KeyEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'scheme' })
  readonly scheme!: KeyScheme;

  @Column('text', { name: 'curve' })
  readonly curve!: KeyCurve;

  @Column('text', { name: 'status' })
  readonly status!: 'Creating' | 'Active' | 'Archived';

  @Column('text', { name: 'public_key', nullable: true })
  readonly publicKey!: string | null;

  @Column('text', { name: 'name', nullable: true })
  readonly name!: string | null;

  @Column('text', { name: 'delegated_to', nullable: true })
  readonly delegatedTo!: string | null;

  @Column('text', { name: 'data_key_id', nullable: true })
  readonly dataKeyId!: string | null;

  @Column('text', { name: 'sealed', nullable: true })
  readonly sealed!: string | null;

  /** The id of the key store that contains the secret. */
  @Column('text', { name: 'store_id' })
  readonly storeId!: string;

  /** Other keys can be derived from a master key. */
  @Column('boolean', { name: 'is_master' })
  readonly isMaster!: boolean;

  @Column('text', { name: 'derived_from', nullable: true })
  readonly derivedFrom!: string | null;

  /** In the notation of BIP32 (`m/0'/1`). */
  @Column('text', { name: 'derivation_path', nullable: true })
  readonly derivationPath!: string | null;

  /** True if the key was created for a later delegation. Only such a key may be delegated. */
  @Column('boolean', { name: 'may_be_delegated' })
  readonly mayBeDelegated!: boolean;

  @Column('boolean', { name: 'is_imported' })
  readonly isImported!: boolean;

  /** After the export another party might have the secret, so the key no longer signs. */
  @Column('timestamptz', { name: 'date_exported', nullable: true })
  readonly dateExported!: Date | null;

  @Column('timestamptz', { name: 'date_deleted', nullable: true })
  readonly dateDeleted!: Date | null;

  @Column('text', { name: 'created_by', nullable: true })
  readonly createdBy!: string | null;

  /** The signed action that made the end user the holder of the key at the signer; null for every other key. */
  @Column('text', { name: 'asking_action_id', nullable: true })
  readonly askingActionId!: string | null;

  @Column('integer', { name: 'version' })
  readonly version!: number;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
