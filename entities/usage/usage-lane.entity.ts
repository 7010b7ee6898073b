import { Entity, PrimaryColumn } from 'typeorm';

@Entity('usage_lanes')
export class UsageLaneEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'wallet_id' })
  readonly walletId!: string;
}
