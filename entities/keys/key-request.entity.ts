import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * An order to the signer. A workflow history contains only the id of the order; it must not contain the content or the result of
 * the order.
 */
@Entity('key_requests')
export class KeyRequestEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'kind' })
  readonly kind!: 'Import' | 'Export' | 'Derive';

  @Column('text', { name: 'key_id' })
  readonly keyId!: string;

  @Column('text', { name: 'user_id' })
  readonly userId!: string;

  /** `userActionId` and `tokenId` are null in rows from earlier releases. */
  @Column('text', { name: 'user_action_id', nullable: true })
  readonly userActionId!: string | null;

  @Column('text', { name: 'token_id', nullable: true })
  readonly tokenId!: string | null;

  /** `Asked`: the signer might have received the order. From then on, the result takes effect even if it arrives very late. */
  @Column('text', { name: 'status' })
  readonly status!: 'Pending' | 'Asked' | 'Done' | 'Refused';

  @Column('text', { name: 'sealed_question', nullable: true })
  readonly sealedQuestion!: string | null;

  @Column('text', { name: 'sealed_answer', nullable: true })
  readonly sealedAnswer!: string | null;

  /** The reason why the signer or the database refused the request. */
  @Column('text', { name: 'refusal', nullable: true })
  readonly refusal!: string | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_done', nullable: true })
  readonly dateDone!: Date | null;
}
