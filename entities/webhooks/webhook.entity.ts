import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('webhooks')
export class WebhookEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'url' })
  readonly url!: string;

  @Column('text', { name: 'status' })
  readonly status!: 'Enabled' | 'Disabled';

  @Column('text', { name: 'description', nullable: true })
  readonly description!: string | null;

  @Column('jsonb', { name: 'events' })
  readonly events!: readonly string[];

  @Column('text', { name: 'sealed_secret' })
  readonly sealedSecret!: string;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_updated' })
  readonly dateUpdated!: Date;

  @Column('timestamptz', { name: 'date_deleted', nullable: true })
  readonly dateDeleted!: Date | null;
}
