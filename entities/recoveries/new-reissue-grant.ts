import { Client } from 'pg';
import { CONNECT_TIMEOUT_MS } from '../connect-timeout';
import type { ReissueGrantEntity } from './reissue-grant.entity';

export type ReissueGrant = Omit<ReissueGrantEntity, 'dateCreated'>;

/**
 * A reissue is a recovery that an operator has begun. The row gives access to a person without a credential, so only the owner
 * role may insert the row.
 */
export async function insertReissueGrant(
  ownerUrl: string,
  { orgId, id, userId, codeDigest, dateEffective, dateExpires }: ReissueGrant,
): Promise<void> {
  const client = new Client({
    connectionString: ownerUrl,
    application_name: 'strongroom-operator',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  await client.connect();
  try {
    await client.query(
      'INSERT INTO reissue_grants (org_id, id, user_id, code_digest, date_effective, date_expires) VALUES ($1, $2, $3, $4, $5, $6)',
      [orgId, id, userId, codeDigest, dateEffective, dateExpires],
    );
  } finally {
    await client.end();
  }
}
