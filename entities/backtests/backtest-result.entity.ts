import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BacktestOutcome } from '../../domain/backtests';

@Entity('backtest_results')
export class BacktestResultEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'backtest_id' })
  readonly backtestId!: string;

  /** The id of the verdict whose facts were replayed. Verdict ids ascend with time. */
  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'activity_id' })
  readonly activityId!: string;

  @Column('timestamptz', { name: 'date_judged' })
  readonly dateJudged!: Date;

  @Column('text', { name: 'outcome' })
  readonly outcome!: BacktestOutcome;

  /** The outcome under the policies that were in force when the activity was judged. */
  @Column('text', { name: 'recorded_outcome' })
  readonly recordedOutcome!: string;

  @Column('text', { name: 'reason' })
  readonly reason!: string;
}
