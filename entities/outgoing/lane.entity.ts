import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { LaneTrouble } from '../../domain/lanes';
import type { NetworkName } from '../../domain/networks';

@Entity('lanes')
export class LaneEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'network' })
  readonly network!: NetworkName;

  @PrimaryColumn('text', { name: 'address' })
  readonly address!: string;

  /** The trouble keeps the lane's transactions out of blocks. */
  @Column('jsonb', { name: 'trouble', nullable: true })
  readonly trouble!: LaneTrouble | null;
}
