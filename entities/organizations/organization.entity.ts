import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('organizations')
export class OrganizationEntity {
  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'name' })
  readonly name!: string;

  @Column('integer', { name: 'policy_epoch' })
  readonly policyEpoch!: number;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
