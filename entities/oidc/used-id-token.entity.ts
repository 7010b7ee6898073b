import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An id token that was presented and cannot be used a second time for the same purpose. */
@Entity('used_id_tokens')
export class UsedIdTokenEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  /** Its purpose, and the digest of what its provider signed. */
  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('timestamptz', { name: 'date_expires' })
  readonly dateExpires!: Date;
}
