import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('organizations')
export class OrganizationEntity {
  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'name' })
  readonly name!: string;

  @Column('integer', { name: 'policy_epoch' })
  readonly policyEpoch!: number;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('text', { name: 'tenant_id', nullable: true })
  readonly tenantId!: string | null;

  @Column('jsonb', { name: 'settings' })
  readonly settings!: Readonly<Record<string, unknown>>;

  @Column('integer', { name: 'version' })
  readonly version!: number;
}
