import type { IntegrationKind } from '../../domain/integrations';
import { newId } from '../../platform/ids';
import type { Reader, Tx } from '../database';
import { IntegrationEntity } from './integration.entity';

export const integrationStore = {
  find: (reader: Reader, kind: IntegrationKind): Promise<IntegrationEntity | undefined> =>
    reader.row(IntegrationEntity, 'WHERE t.kind = $1', [kind]),

  all: (reader: Reader): Promise<IntegrationEntity[]> => reader.rows(IntegrationEntity, 'ORDER BY t.kind'),

  async isActive(reader: Reader, kind: IntegrationKind): Promise<boolean> {
    return (await this.find(reader, kind))?.status === 'Active';
  },

  /** Makes the integration active. The credentials replace older credentials. */
  async activate(tx: Tx, kind: IntegrationKind, sealedCredentials: string): Promise<void> {
    await tx.query(
      `INSERT INTO integrations (org_id, kind, id, status, sealed_credentials) VALUES ($1, $2, $3, 'Active', $4)
       ON CONFLICT (org_id, kind) DO UPDATE
       SET status = 'Active', sealed_credentials = excluded.sealed_credentials, date_updated = clock_timestamp()`,
      [tx.orgId, kind, newId('integration'), sealedCredentials],
    );
  },

  /** Returns whether the integration was active. */
  async deactivate(tx: Tx, kind: IntegrationKind): Promise<boolean> {
    const changed = await tx.query(
      `UPDATE integrations SET status = 'Inactive', sealed_credentials = NULL, date_updated = clock_timestamp()
       WHERE org_id = $1 AND kind = $2 AND status = 'Active' RETURNING kind`,
      [tx.orgId, kind],
    );
    return changed.length > 0;
  },
};
