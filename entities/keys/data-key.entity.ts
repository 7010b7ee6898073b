import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('data_keys')
export class DataKeyEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'kek_id' })
  readonly kekId!: string;

  @Column('text', { name: 'state' })
  readonly state!: 'Active' | 'DecryptOnly' | 'Destroyed';

  @Column('text', { name: 'wrapped' })
  readonly wrapped!: string;

  @Column('text', { name: 'commitment' })
  readonly commitment!: string;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_destroyed', nullable: true })
  readonly dateDestroyed!: Date | null;
}
