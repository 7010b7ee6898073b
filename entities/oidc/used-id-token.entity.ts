import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An id token that somebody brought and that counts no second time for the same. */
@Entity('used_id_tokens')
export class UsedIdTokenEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  /** What it was used for, and the digest of what its provider signed. */
  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('timestamptz', { name: 'date_expires' })
  readonly dateExpires!: Date;
}
