import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('permissions')
export class PermissionEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'name' })
  readonly name!: string;

  @Column('jsonb', { name: 'operations' })
  readonly operations!: readonly string[];

  @Column('boolean', { name: 'is_managed' })
  readonly isManaged!: boolean;

  @Column('text', { name: 'status' })
  readonly status!: 'Active' | 'Archived';

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('integer', { name: 'version' })
  readonly version!: number;

  @Column('timestamptz', { name: 'date_updated' })
  readonly dateUpdated!: Date;
}
