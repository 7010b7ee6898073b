import type { Caller, CallerKind } from '../../domain/callers';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { ALL_OPERATIONS, intersection, MANAGED_FULL_ADMIN } from '../../domain/permissions';
import type { AccessTokenEntity } from '../../entities/access-tokens/access-token.entity';
import { accessTokenStore, type SessionRow } from '../../entities/access-tokens/access-token.store';
import type { Database, Reader, Tx } from '../../entities/database';
import { sha256Hex } from '../../platform/digests';
import { newId } from '../../platform/ids';
import type { TokenKeys, TokenVerifier } from '../../platform/token-keys';

type NewToken = {
  readonly userId: string;
  readonly kind: AccessTokenEntity['kind'];
  /** The row id of the token's credential. Only a token that signs with a key of its own has a credential. */
  readonly credentialId?: string;
  readonly lifetimeMs: number;
  /** The row id of the first factor that opened the session. */
  readonly openedBy?: string;
  readonly name?: string;
  readonly externalId?: string;
  /** True if the token has only its own assigned permissions. */
  readonly isRestricted?: boolean;
};

export type IssuedToken = { readonly id: string; readonly token: string };

/** Adds the row of a new token and returns the token. The row contains only the digest of the token. */
export async function issueToken(tx: Tx, keys: TokenKeys, { lifetimeMs, credentialId, ...row }: NewToken): Promise<IssuedToken> {
  const id = newId('token');
  const dateExpires = new Date((await tx.clock()).getTime() + lifetimeMs);
  const token = await keys.sign('bearer', { id, userId: row.userId, orgId: tx.orgId }, dateExpires);
  await accessTokenStore.add(tx, { ...row, id, credentialId: credentialId ?? null, tokenDigest: sha256Hex(token), dateExpires });
  return { id, token };
}

/**
 * Throws `Unauthorized` or `UserDeactivated`. A valid signature is not enough: the row of the token must be active and not
 * expired. `alongside` sends further queries together with the query for the token's row. Use the results of these queries only
 * after this function has returned, because until then the requester is not authenticated.
 */
export async function authenticate(
  db: Database,
  keys: TokenVerifier,
  bearer: string,
  alongside?: (reader: Reader) => void,
): Promise<Caller> {
  const claims = await keys.verify('bearer', bearer);
  if (!claims || !isId('organization', claims.orgId)) throw unauthorized();
  const reader = db.read(claims.orgId);
  const session = accessTokenStore.findSession(reader, claims.id, claims.userId, claims.tokenDigest);
  alongside?.(reader);
  const row = await session;
  if (!row?.tokenUsable) throw unauthorized();
  if (!row.userActive) throw new AppError('UserDeactivated', 'User account has been deactivated.');
  return {
    orgId: claims.orgId,
    userId: claims.userId,
    tokenId: claims.id,
    kind: callerKind(row),
    isPersonalToken: row.tokenKind === 'Pat',
    permissions: intersection(new Set(row.operations), row.tokenOperations && new Set(row.tokenOperations)),
    credentialUuid: row.credentialUuid ?? undefined,
  };
}

function callerKind({ isServiceAccount, userKind }: SessionRow): CallerKind {
  if (isServiceAccount) return 'ServiceAccount';
  return userKind === 'EndUser' ? 'EndUser' : 'CustomerEmployee';
}

export const unauthorized = (): AppError => new AppError('Unauthorized', 'Not Authorized.');

export const FULL_ADMIN = { name: MANAGED_FULL_ADMIN, operations: [ALL_OPERATIONS], isManaged: true } as const;
