import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The user that belongs to a subject of an identity provider. The first sign-in finds the user by mail address and binds the
 * subject to that user. A user has only one subject per provider. If the provider later gives the address to another person,
 * the subject of that person cannot be bound to this user. That person therefore gets no access.
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
