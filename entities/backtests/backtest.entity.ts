import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BacktestCounts, BacktestStatus } from '../../domain/backtests';
import type { PolicyContent } from '../policies/policy.store';

@Entity('backtests')
export class BacktestEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'status' })
  readonly status!: BacktestStatus;

  /** The policy in its stored form. */
  @Column('jsonb', { name: 'policy' })
  readonly policy!: PolicyContent;

  /** Only activities of this wallet are replayed; if null, activities of all wallets are replayed. */
  @Column('text', { name: 'wallet_id', nullable: true })
  readonly walletId!: string | null;

  @Column('timestamptz', { name: 'date_from' })
  readonly dateFrom!: Date;

  @Column('timestamptz', { name: 'date_to' })
  readonly dateTo!: Date;

  @Column('text', { name: 'requested_by' })
  readonly requestedBy!: string;

  @Column('timestamptz', { name: 'judged_until', nullable: true })
  readonly judgedUntil!: Date | null;

  @Column('jsonb', { name: 'counts' })
  readonly counts!: BacktestCounts;

  /** Text for people. */
  @Column('text', { name: 'reason', nullable: true })
  readonly reason!: string | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_done', nullable: true })
  readonly dateDone!: Date | null;
}
