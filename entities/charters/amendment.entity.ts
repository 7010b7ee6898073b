import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AmendmentKind } from '../../domain/amendments';

/**
 * A change that a member has signed. The service applies the change at once, and the signer then changes its charter accordingly.
 */
@Entity('amendments')
export class AmendmentEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  /** Orders the amendments of an organisation. Amendments are recorded under a lock, so `ordinal` rises. */
  @Column({ type: 'bigint', name: 'ordinal', insert: false, update: false })
  readonly ordinal!: string;

  @Column('text', { name: 'kind' })
  readonly kind!: AmendmentKind;

  @Column('text', { name: 'user_action_id' })
  readonly userActionId!: string;

  @Column('text', { name: 'approval_id', nullable: true })
  readonly approvalId!: string | null;

  /** The values that the service chose for fields that the signed request leaves open. */
  @Column('jsonb', { name: 'given' })
  readonly given!: Readonly<Record<string, unknown>>;

  @Column('text', { name: 'status' })
  readonly status!: 'Waiting' | 'InForce' | 'Refused';

  /** Why the signer or the service refused the amendment; null unless the amendment was refused. */
  @Column('text', { name: 'reason', nullable: true })
  readonly reason!: string | null;

  /** The sequence of the charter that contains the amendment; null unless the amendment is in force. */
  @Column('integer', { name: 'sequence', nullable: true })
  readonly sequence!: number | null;

  @Column('text', { name: 'digest', nullable: true })
  readonly digest!: string | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_ended', nullable: true })
  readonly dateEnded!: Date | null;
}
