import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FleetKind, FleetState } from '../../domain/fleets';

/** One operation of a group. */
@Entity('fleet_operations')
export class FleetOperationEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'group_id' })
  readonly groupId!: string;

  @Column('text', { name: 'kind' })
  readonly kind!: FleetKind;

  @Column('text', { name: 'status' })
  readonly status!: FleetState;

  /** The request or the wallet of an operation that uses a key; null for a ceremony. */
  @Column('text', { name: 'subject_id', nullable: true })
  readonly subjectId!: string | null;

  /** Why the device did not carry out the operation. */
  @Column('text', { name: 'failure', nullable: true })
  readonly failure!: string | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
