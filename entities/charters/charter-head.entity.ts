import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A charter that the worker has once seen in force. */
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
