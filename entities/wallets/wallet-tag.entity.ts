import { Entity, PrimaryColumn } from 'typeorm';

@Entity('wallet_tags')
export class WalletTagEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'wallet_id' })
  readonly walletId!: string;

  @PrimaryColumn('text', { name: 'tag' })
  readonly tag!: string;
}
