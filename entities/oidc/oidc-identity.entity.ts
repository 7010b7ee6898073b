import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The first sign-in finds the user by mail address and binds the provider's subject to the user. A user has only one subject per
 * provider, so a later owner of the mail address does not get access.
 */
@Entity('oidc_identities')
export class OidcIdentityEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'issuer' })
  readonly issuer!: string;

  @PrimaryColumn('text', { name: 'subject' })
  readonly subject!: string;

  @Column('text', { name: 'user_id' })
  readonly userId!: string;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
