import { Entity, PrimaryColumn } from 'typeorm';
import type { NetworkName } from '../../domain/networks';

@Entity('lanes')
export class LaneEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'network' })
  readonly network!: NetworkName;

  @PrimaryColumn('text', { name: 'address' })
  readonly address!: string;
}
