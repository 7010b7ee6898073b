import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NetworkName } from '../../domain/networks';

/** A verified asset that occurs in a final movement of the wallet. */
@Entity('holdings')
export class HoldingEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'wallet_id' })
  readonly walletId!: string;

  /** The contract or mint of a token. Empty for the native asset. */
  @PrimaryColumn('text', { name: 'contract' })
  readonly contract!: string;

  @Column('text', { name: 'network' })
  readonly network!: NetworkName;

  @Column('text', { name: 'symbol', nullable: true })
  readonly symbol!: string | null;

  /** The balance that was read last. Null before the first reading. */
  @Column('numeric', { name: 'units', nullable: true })
  readonly units!: string | null;

  /** The number of changes of the balance that movements have caused. */
  @Column('bigint', { name: 'seen' })
  readonly seen!: string;

  /** The value of `seen` when the last reading began. */
  @Column('bigint', { name: 'read' })
  readonly read!: string;

  @Column('timestamptz', { name: 'date_read', nullable: true })
  readonly dateRead!: Date | null;
}
