import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An output that paid a watched address. Whether the coin is spent is not recorded. */
@Entity('received_coins')
export class ReceivedCoinEntity {
  @PrimaryColumn('text', { name: 'network' })
  readonly network!: string;

  @PrimaryColumn('text', { name: 'txid' })
  readonly txid!: string;

  @PrimaryColumn('integer', { name: 'vout' })
  readonly vout!: number;

  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'subject_id' })
  readonly subjectId!: string;

  @Column('numeric', { name: 'amount_units' })
  readonly amountUnits!: string;
}
