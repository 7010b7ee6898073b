import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FeeSponsorStatus } from '../../domain/fee-sponsors';
import type { NetworkName } from '../../domain/networks';

@Entity('fee_sponsors')
export class FeeSponsorEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'name', nullable: true })
  readonly name!: string | null;

  @Column('text', { name: 'wallet_id' })
  readonly walletId!: string;

  @Column('text', { name: 'network' })
  readonly network!: NetworkName;

  /** End users may use the sponsor for wallets that are delegated to them. */
  @Column('boolean', { name: 'allow_end_user' })
  readonly allowEndUser!: boolean;

  @Column('text', { name: 'status' })
  readonly status!: FeeSponsorStatus;

  @Column('text', { name: 'user_action_id' })
  readonly userActionId!: string;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
