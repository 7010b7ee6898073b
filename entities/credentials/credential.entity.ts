import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('credentials')
export class CredentialEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'user_id' })
  readonly userId!: string;

  @Column('text', { name: 'kind' })
  readonly kind!: 'Key';

  @Column('text', { name: 'credential_id' })
  readonly credentialId!: string;

  @Column('text', { name: 'name' })
  readonly name!: string;

  @Column('text', { name: 'public_key' })
  readonly publicKey!: string;

  @Column('boolean', { name: 'is_active' })
  readonly isActive!: boolean;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
