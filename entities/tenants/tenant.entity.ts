import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('tenants')
export class TenantEntity {
  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'name' })
  readonly name!: string;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
