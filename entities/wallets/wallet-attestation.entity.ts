import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the signer attested of the wallet's address. The database cannot make one, so it is not believed without its signature. */
@Entity('wallet_attestations')
export class WalletAttestationEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'wallet_id' })
  readonly walletId!: string;

  @Column('text', { name: 'attestation' })
  readonly attestation!: string;

  @Column('text', { name: 'signature' })
  readonly signature!: string;
}
