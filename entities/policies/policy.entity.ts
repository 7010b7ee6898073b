import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The newest version contains the content of the policy. The row is locked while a version is added. */
@Entity('policies')
export class PolicyEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_updated' })
  readonly dateUpdated!: Date;
}
