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

  @Column('integer', { name: 'version' })
  readonly version!: number;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
