import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NetworkName } from '../../domain/networks';

@Entity('claims')
export class ClaimEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'network' })
  readonly network!: NetworkName;

  @Column('text', { name: 'kind' })
  readonly kind!: 'nonce';

  @Column('text', { name: 'key' })
  readonly key!: string;

  @Column('text', { name: 'lane' })
  readonly lane!: string;

  @Column('integer', { name: 'value' })
  readonly value!: number;

  /** Whose nonce it is: a transfer's or a signature's, never both. */
  @Column('text', { name: 'transfer_id', nullable: true })
  readonly transferId!: string | null;

  @Column('text', { name: 'signature_id', nullable: true })
  readonly signatureId!: string | null;

  @Column('text', { name: 'state' })
  readonly state!: 'Signing' | 'Consumed';

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
