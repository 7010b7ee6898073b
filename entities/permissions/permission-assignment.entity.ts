import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('permission_assignments')
export class PermissionAssignmentEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'permission_id' })
  readonly permissionId!: string;

  @Column('text', { name: 'user_id' })
  readonly userId!: string;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  /** Null if the permission belongs to the user and not to a token. */
  @Column('text', { name: 'token_id', nullable: true })
  readonly tokenId!: string | null;

  @Column('boolean', { name: 'is_immutable' })
  readonly isImmutable!: boolean;

  @Column('timestamptz', { name: 'date_updated' })
  readonly dateUpdated!: Date;
}
