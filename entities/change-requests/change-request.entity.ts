import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ChangeKind, ChangeOperation, ChangeStatus } from '../../domain/change-requests';

@Entity('change_requests')
export class ChangeRequestEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'kind' })
  readonly kind!: ChangeKind;

  @Column('text', { name: 'operation_kind' })
  readonly operationKind!: ChangeOperation;

  @Column('text', { name: 'entity_id' })
  readonly entityId!: string;

  /** The subject of the change. A subject can have one pending change at a time. */
  @Column('text', { name: 'subject' })
  readonly subject!: string;

  /** The change is based on this version of the record. */
  @Column('integer', { name: 'base_version' })
  readonly baseVersion!: number;

  /** The stored form of the record before the change; null if the record did not exist. */
  @Column('jsonb', { name: 'before', nullable: true })
  readonly before!: Readonly<Record<string, unknown>> | null;

  /** The stored form of the record. */
  @Column('jsonb', { name: 'change' })
  readonly change!: Readonly<Record<string, unknown>>;

  /** The record as the API shows it. */
  @Column('jsonb', { name: 'body' })
  readonly body!: Readonly<Record<string, unknown>>;

  @Column('text', { name: 'status' })
  readonly status!: ChangeStatus;

  /** Text for people. */
  @Column('text', { name: 'reason', nullable: true })
  readonly reason!: string | null;

  @Column('text', { name: 'requester_user_id' })
  readonly requesterUserId!: string;

  @Column('text', { name: 'requester_token_id', nullable: true })
  readonly requesterTokenId!: string | null;

  /** Null for requests from releases that did not store the user action of a request. */
  @Column('text', { name: 'user_action_id', nullable: true })
  readonly userActionId!: string | null;

  @Column('text', { name: 'approval_id', nullable: true })
  readonly approvalId!: string | null;

  /** The key request that used up an approved export or import. */
  @Column('text', { name: 'used_by', nullable: true })
  readonly usedBy!: string | null;

  @Column('integer', { name: 'version' })
  readonly version!: number;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_resolved', nullable: true })
  readonly dateResolved!: Date | null;
}
