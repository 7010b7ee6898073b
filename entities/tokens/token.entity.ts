import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NetworkName } from '../../domain/networks';

@Entity('tokens')
export class TokenEntity {
  @PrimaryColumn('text', { name: 'network' })
  readonly network!: NetworkName;

  @PrimaryColumn('text', { name: 'contract' })
  readonly contract!: string;

  @Column('text', { name: 'symbol', nullable: true })
  readonly symbol!: string | null;

  @Column('integer', { name: 'decimals' })
  readonly decimals!: number;

  @Column('timestamptz', { name: 'date_pinned' })
  readonly datePinned!: Date;
}
