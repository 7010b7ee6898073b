import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The signer's attestation of the wallet's address. A reader must verify `signature`, because only the signer can attest. */
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
