import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FreezeTarget } from '../../domain/freezes';

@Entity('freezes')
export class FreezeEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'target_kind' })
  readonly targetKind!: FreezeTarget;

  /** The id of the wallet, key or organisation, or the name of the network. */
  @Column('text', { name: 'target_id' })
  readonly targetId!: string;

  @Column('text', { name: 'reason' })
  readonly reason!: string;

  /** Null if the service itself froze the target; `userActionId` is then null too. */
  @Column('text', { name: 'created_by', nullable: true })
  readonly createdBy!: string | null;

  @Column('text', { name: 'user_action_id', nullable: true })
  readonly userActionId!: string | null;

  @Column('integer', { name: 'version' })
  readonly version!: number;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  /** When the service recorded that the signer has durably stored the freeze. */
  @Column('timestamptz', { name: 'date_signer_told', nullable: true })
  readonly dateSignerTold!: Date | null;

  @Column('timestamptz', { name: 'date_released', nullable: true })
  readonly dateReleased!: Date | null;

  /** The id of the change request that released the freeze. */
  @Column('text', { name: 'released_by', nullable: true })
  readonly releasedBy!: string | null;

  /** The user action that requested the release. */
  @Column('text', { name: 'release_action_id', nullable: true })
  readonly releaseActionId!: string | null;

  /** When the service recorded that the signer has also lifted the freeze. */
  @Column('timestamptz', { name: 'date_signer_released', nullable: true })
  readonly dateSignerReleased!: Date | null;
}
