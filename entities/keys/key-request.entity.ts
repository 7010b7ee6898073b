import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * An order to the signer. Its content and its result must not appear in a workflow history, which contains only the order's id.
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

  /**
   * The signed user action behind the request. `tokenId` is the token that the caller used. Both are null in rows of earlier
   * releases.
   */
  @Column('text', { name: 'user_action_id', nullable: true })
  readonly userActionId!: string | null;

  @Column('text', { name: 'token_id', nullable: true })
  readonly tokenId!: string | null;

  /**
   * The status is `Asked` from the moment at which the signer may have received the order. From that moment on, the result of
   * the order takes effect, however late the result comes.
   */
  @Column('text', { name: 'status' })
  readonly status!: 'Pending' | 'Asked' | 'Done' | 'Refused';

  @Column('text', { name: 'sealed_question', nullable: true })
  readonly sealedQuestion!: string | null;

  @Column('text', { name: 'sealed_answer', nullable: true })
  readonly sealedAnswer!: string | null;

  /** Why the signer or the database refused the request. */
  @Column('text', { name: 'refusal', nullable: true })
  readonly refusal!: string | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_done', nullable: true })
  readonly dateDone!: Date | null;
}
