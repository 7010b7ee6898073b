import type { IntegrationKind } from '../../domain/integrations';
import type { IntegrationEntity } from '../../entities/integrations/integration.entity';

/** The view leaves the credentials out. */
export function integrationView(kind: IntegrationKind, row: IntegrationEntity | undefined) {
  if (!row) return { kind, status: 'Inactive' as const };
  const { id, status, dateCreated, dateUpdated } = row;
  return { kind, id, status, dateCreated: dateCreated.toISOString(), dateUpdated: dateUpdated.toISOString() };
}
