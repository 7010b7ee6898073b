import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FleetKind, FleetState } from '../../domain/fleets';

/** `dateReviewed` is a date in ISO format. */
type FleetReview = { readonly reviewedBy: string; readonly reviewedActionId: string; readonly dateReviewed: string };

/** Fleet operations that pass between the service and a device as one archive, and are decided together. */
@Entity('fleet_groups')
export class FleetGroupEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'store_id' })
  readonly storeId!: string;

  @Column('text', { name: 'kind' })
  readonly kind!: FleetKind;

  @Column('text', { name: 'status' })
  readonly status!: FleetState;

  /** The part of the input that depends on the kind, as the caller asked for it. */
  @Column('jsonb', { name: 'task' })
  readonly task!: Readonly<Record<string, unknown>>;

  /** The digest of the manifest on which the archive builds. */
  @Column('text', { name: 'manifest_before', nullable: true })
  readonly manifestBefore!: string | null;

  /** Digests of manifests that devices may have made for groups that came to nothing. */
  @Column({ type: 'text', name: 'abandons', array: true })
  readonly abandons!: readonly string[];

  /** The archive. Null until the signer has signed it; the text never changes. */
  @Column('text', { name: 'input', nullable: true })
  readonly input!: string | null;

  @Column('text', { name: 'input_digest', nullable: true })
  readonly inputDigest!: string | null;

  /** The SHA-256 of the accepted file, which contains the digest of the JSON part. */
  @Column('text', { name: 'output_digest', nullable: true })
  readonly outputDigest!: string | null;

  /** Why the last step did not succeed, in words. */
  @Column('text', { name: 'hindrance', nullable: true })
  readonly hindrance!: string | null;

  /** Why the group was rejected or canceled. */
  @Column('text', { name: 'reason', nullable: true })
  readonly reason!: string | null;

  @Column('text', { name: 'created_by' })
  readonly createdBy!: string;

  @Column('text', { name: 'submitted_by', nullable: true })
  readonly submittedBy!: string | null;

  /** The approvals before the one that completes the review, in order. */
  @Column('jsonb', { name: 'earlier_reviews' })
  readonly earlierReviews!: readonly FleetReview[];

  /** Set in the state InReview while the signer records the approval. */
  @Column('text', { name: 'reviewed_by', nullable: true })
  readonly reviewedBy!: string | null;

  /** Null if the group was canceled because its time was over. */
  @Column('text', { name: 'canceled_by', nullable: true })
  readonly canceledBy!: string | null;

  @Column('text', { name: 'created_action_id' })
  readonly createdActionId!: string;

  @Column('text', { name: 'submitted_action_id', nullable: true })
  readonly submittedActionId!: string | null;

  @Column('text', { name: 'reviewed_action_id', nullable: true })
  readonly reviewedActionId!: string | null;

  /** The user action that rejected or canceled the group. */
  @Column('text', { name: 'ended_action_id', nullable: true })
  readonly endedActionId!: string | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_submitted', nullable: true })
  readonly dateSubmitted!: Date | null;

  @Column('timestamptz', { name: 'date_reviewed', nullable: true })
  readonly dateReviewed!: Date | null;

  /** The time from which the approval is certain: the signer has recorded it, or the signatures were accepted. */
  @Column('timestamptz', { name: 'date_recorded', nullable: true })
  readonly dateRecorded!: Date | null;

  @Column('timestamptz', { name: 'date_reminded', nullable: true })
  readonly dateReminded!: Date | null;

  @Column('integer', { name: 'version' })
  readonly version!: number;

  @Column('timestamptz', { name: 'date_canceled', nullable: true })
  readonly dateCanceled!: Date | null;

  /** A group without an outcome is canceled at this time. */
  @Column('timestamptz', { name: 'ends_at' })
  readonly endsAt!: Date;
}
