import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('users')
export class UserEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'username' })
  readonly username!: string;

  @Column('text', { name: 'name' })
  readonly name!: string;

  @Column('text', { name: 'kind' })
  readonly kind!: 'CustomerEmployee' | 'EndUser' | 'TenantUser';

  @Column('text', { name: 'credential_uuid' })
  readonly credentialUuid!: string;

  @Column('boolean', { name: 'is_active' })
  readonly isActive!: boolean;

  @Column('boolean', { name: 'is_registered' })
  readonly isRegistered!: boolean;

  @Column('boolean', { name: 'is_service_account' })
  readonly isServiceAccount!: boolean;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('text', { name: 'tenant_id', nullable: true })
  readonly tenantId!: string | null;

  @Column('text', { name: 'external_id', nullable: true })
  readonly externalId!: string | null;

  @Column('boolean', { name: 'is_sso_required' })
  readonly isSsoRequired!: boolean;

  @Column('text', { name: 'created_by', nullable: true })
  readonly createdBy!: string | null;

  @Column('integer', { name: 'version' })
  readonly version!: number;

  @Column('timestamptz', { name: 'date_credentials_changed', nullable: true })
  readonly dateCredentialsChanged!: Date | null;

  @Column('timestamptz', { name: 'date_archived', nullable: true })
  readonly dateArchived!: Date | null;
}
