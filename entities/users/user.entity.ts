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
  readonly kind!: 'CustomerEmployee' | 'EndUser';

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
}
