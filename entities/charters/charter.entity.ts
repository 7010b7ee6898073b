import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The charter of the organisation, as the worker last read it. Only the signer's own charter is authoritative. */
@Entity('charters')
export class CharterEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @Column('integer', { name: 'sequence' })
  readonly sequence!: number;

  @Column('text', { name: 'digest' })
  readonly digest!: string;

  @Column('text', { name: 'text' })
  readonly text!: string;

  /** The member `seen` of the charter's text; null if people may sign everything without seeing the content. */
  @Column({ type: 'jsonb', name: 'seen', nullable: true, insert: false, update: false })
  readonly seen!: { readonly operations: readonly string[]; readonly origins: readonly string[] } | null;

  /** The member `mainnets` of the charter's text; null if the charter does not list mainnets. */
  @Column({ type: 'jsonb', name: 'mainnets', nullable: true, insert: false, update: false })
  readonly mainnets!: readonly string[] | null;

  @Column('timestamptz', { name: 'date_seen' })
  readonly dateSeen!: Date;
}
