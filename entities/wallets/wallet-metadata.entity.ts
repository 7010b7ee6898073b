import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('wallet_metadata')
export class WalletMetadataEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'wallet_id' })
  readonly walletId!: string;

  @PrimaryColumn('text', { name: 'key' })
  readonly key!: string;

  @Column('text', { name: 'value' })
  readonly value!: string;
}
