import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An id token that was used for a purpose. Another use for the same purpose is refused. */
@Entity('used_id_tokens')
export class UsedIdTokenEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  /** The purpose, and the digest of the content that the provider signed. */
  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('timestamptz', { name: 'date_expires' })
  readonly dateExpires!: Date;
}
