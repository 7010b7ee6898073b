import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Screening, ScreeningQuestion, ScreeningVendor } from '../../domain/screenings';

@Entity('screenings')
export class ScreeningEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'activity_id' })
  readonly activityId!: string;

  @Column('text', { name: 'vendor' })
  readonly vendor!: ScreeningVendor;

  /** The number of the attempt, from 1. Another attempt follows if the result is too old when the service needs it. */
  @Column('integer', { name: 'attempt' })
  readonly attempt!: number;

  @Column('jsonb', { name: 'question' })
  readonly question!: ScreeningQuestion;

  /** Null until the vendor has responded. */
  @Column('jsonb', { name: 'result', nullable: true })
  readonly result!: Screening['result'] | null;

  /** For the operator; contains no secrets. */
  @Column('text', { name: 'unreadable_reply', nullable: true })
  readonly unreadableReply!: string | null;

  @Column('timestamptz', { name: 'date_asked' })
  readonly dateAsked!: Date;

  @Column('timestamptz', { name: 'date_answered', nullable: true })
  readonly dateAnswered!: Date | null;
}
