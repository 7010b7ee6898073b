import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { KeyStoreKind, KeyStoreState } from '../../domain/key-stores';

/** A key store, as the worker last read it from the signer. Only the signer's own record is authoritative. */
@Entity('key_stores')
export class KeyStoreEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'kind' })
  readonly kind!: KeyStoreKind;

  @Column('text', { name: 'name' })
  readonly name!: string;

  @Column('boolean', { name: 'is_primary' })
  readonly isPrimary!: boolean;

  @Column('text', { name: 'state' })
  readonly state!: KeyStoreState;

  @Column('integer', { name: 'reviewers' })
  readonly reviewers!: number;

  /** The number of the last entry that changed the row. */
  @Column('integer', { name: 'n' })
  readonly n!: number;

  @Column('text', { name: 'digest' })
  readonly digest!: string;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_changed' })
  readonly dateChanged!: Date;
}
