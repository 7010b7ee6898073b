import type { Tx } from '../entities/database';
import { organizationStore } from '../entities/organizations/organization.store';
import type { TokenKeys } from '../platform/token-keys';
import { issueToken } from './tokens';

const MS_PER_MINUTE = 60_000;

/** A new bearer token of somebody who has just signed in, for as long as the organisation lets a session last. */
export async function openSession(tx: Tx, keys: TokenKeys, userId: string): Promise<string> {
  const { sessionMinutes } = await organizationStore.settings(tx, tx.orgId);
  const { token } = await issueToken(tx, keys, { userId, kind: 'Token', lifetimeMs: sessionMinutes * MS_PER_MINUTE });
  return token;
}
