import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { IntegrationKind, IntegrationStatus } from '../../domain/integrations';

@Entity('integrations')
export class IntegrationEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'kind' })
  readonly kind!: IntegrationKind;

  @Column('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'status' })
  readonly status!: IntegrationStatus;

  /** Null while the integration is inactive. */
  @Column('text', { name: 'sealed_credentials', nullable: true })
  readonly sealedCredentials!: string | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  @Column('timestamptz', { name: 'date_updated' })
  readonly dateUpdated!: Date;
}
