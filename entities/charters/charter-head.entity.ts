import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A charter that was in force when the worker read it from the signer. */
@Entity('charter_heads')
export class CharterHeadEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('integer', { name: 'sequence' })
  readonly sequence!: number;

  @PrimaryColumn('text', { name: 'digest' })
  readonly digest!: string;

  @Column('timestamptz', { name: 'date_seen' })
  readonly dateSeen!: Date;
}
