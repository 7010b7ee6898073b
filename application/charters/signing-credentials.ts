import type { KeyObject } from 'node:crypto';
import { isAmendment } from '../../domain/amendments';
import {
  CHARTER_OPERATION_IDS,
  CHARTER_OPERATIONS,
  type CharterOperation,
  HELD_CREDENTIALS_MAX,
  isExport,
} from '../../domain/charters';
import { allows, intersection } from '../../domain/permissions';
import { AccessTokenEntity } from '../../entities/access-tokens/access-token.entity';
import { accessTokenStore } from '../../entities/access-tokens/access-token.store';
import { CredentialEntity } from '../../entities/credentials/credential.entity';
import type { Reader } from '../../entities/database';
import { parseCredentialKey, pemOf } from '../../platform/credential-keys';
import { passkeyKey } from '../../platform/passkey-keys';
import type { Omission } from './omission';

type Common = {
  readonly id: string;
  readonly publicKey: string;
  readonly operations: CharterOperation[];
  readonly tokenId?: string;
};
export type SigningCredential =
  | (Common & { readonly kind: 'Fido2'; readonly relyingPartyId: string })
  | (Common & { readonly kind: 'Key' });

type WithoutOperations<C> = C extends unknown ? Omit<C, 'operations' | 'tokenId'> : never;
type HolderCredential = WithoutOperations<SigningCredential>;

/** The reason why a charter has no credential of these kinds. */
const LEFT_OUT: Readonly<Record<Exclude<CredentialEntity['kind'], 'Fido2' | 'Key'>, string>> = {
  Password: 'a password signs nothing',
  Totp: 'a one-time code signs nothing',
  PasswordProtectedKey: 'the service stores this key, protected by a password that can be guessed',
  RecoveryKey: 'a recovery key signs only recoveries',
};

type Read = { readonly credentials: readonly SigningCredential[]; readonly omitted: readonly Omission[] };

/** The operator's choices about the rights of the credentials in a charter. */
export type Allowing = {
  /** Whether members may change the charter themselves. Otherwise only the operator changes the charter. */
  readonly membersAmend: boolean;
  readonly keysLeave: boolean;
  /** Whether end users sign with the keys that they hold. A charter does not list the wallets of these keys. */
  readonly servesEndUsers: boolean;
};

/** The credentials with which this user can sign now, each with the operations that the service lets the credential sign. */
export async function signingCredentials(reader: Reader, userId: string, allowing: Allowing): Promise<Read> {
  const rows = await reader.rows(
    CredentialEntity,
    'WHERE t.user_id = $1 AND t.is_active AND t.date_removed IS NULL ORDER BY t.id',
    [userId],
  );
  const tokens = await reader.rows(
    AccessTokenEntity,
    `WHERE t.user_id = $1 AND t.credential_id IS NOT NULL AND t.is_active AND t.date_removed IS NULL
       AND t.date_expires > clock_timestamp()`,
    [userId],
  );
  const tokenOf = new Map(tokens.map(({ credentialId, id }) => [credentialId, id]));
  const credentials: SigningCredential[] = [];
  const omitted: Omission[] = [];
  for (const row of rows) {
    const made = await credentialOf(reader, row, tokenOf.get(row.id), allowing);
    if (typeof made === 'string') omitted.push({ subject: `${row.kind} ${row.id} of ${userId}`, reason: made });
    else credentials.push(made);
  }
  return { credentials, omitted };
}

/** The credentials by which the signer can recognise an end user as the holder of a key, oldest first. */
export async function holderCredentials(reader: Reader, userId: string): Promise<readonly HolderCredential[]> {
  const rows = await reader.rows(
    CredentialEntity,
    `WHERE t.user_id = $1 AND t.kind IN ('Fido2', 'Key') AND NOT t.is_token_bound AND t.is_active AND t.date_removed IS NULL
     ORDER BY t.id LIMIT $2`,
    [userId, HELD_CREDENTIALS_MAX],
  );
  return rows.flatMap((row): HolderCredential[] => {
    const { id, kind, relyingPartyId } = row;
    const key = keyOf(row);
    if (!key) return [];
    const common = { id, publicKey: pemOf(key) };
    return kind === 'Fido2' ? [{ ...common, kind, relyingPartyId }] : [{ ...common, kind: 'Key' as const }];
  });
}

type Rights = { readonly operations: CharterOperation[]; readonly givesKeys: boolean };

/**
 * The rights are computed in the same way as for each request to the service. `tokenId` is null for a credential that is not
 * bound to a token. `givesKeys` is true if the credential may create keys for end users.
 */
async function rightsOf(
  reader: Reader,
  userId: string,
  tokenId: string | null,
  { membersAmend, keysLeave }: Allowing,
): Promise<Rights> {
  const standing = await accessTokenStore.standing(reader, userId, tokenId);
  if (!standing?.userActive) return { operations: [], givesKeys: false };
  const permissions = intersection(new Set(standing.operations), standing.tokenOperations && new Set(standing.tokenOperations));
  const ids = CHARTER_OPERATION_IDS.filter((id) => (membersAmend || !isAmendment(id)) && (keysLeave || !isExport(id)));
  return {
    operations: ids.filter((id) => CHARTER_OPERATIONS[id].every((permission) => allows(permissions, permission, id))),
    givesKeys: allows(permissions, 'Keys:Delegate', 'createKey'),
  };
}

/** The credential, or the reason why a charter cannot have it. */
async function credentialOf(
  reader: Reader,
  row: CredentialEntity,
  tokenId: string | undefined,
  allowing: Allowing,
): Promise<SigningCredential | string> {
  const { id, kind, userId, isTokenBound, relyingPartyId } = row;
  if (kind !== 'Fido2' && kind !== 'Key') return LEFT_OUT[kind];
  if (isTokenBound && tokenId === undefined) return 'its token is not usable';
  const { operations, givesKeys } = await rightsOf(reader, userId, isTokenBound ? (tokenId ?? null) : null, allowing);
  if (operations.length === 0 && !(allowing.servesEndUsers && givesKeys))
    return 'it may sign none of the operations of a charter';
  const key = keyOf(row);
  if (!key) return 'its public key is of a form that a charter cannot have';
  const token = isTokenBound && tokenId !== undefined ? { tokenId } : {};
  const common = { id, publicKey: pemOf(key), operations, ...token };
  return kind === 'Fido2' ? { ...common, kind, relyingPartyId } : { ...common, kind };
}

function keyOf({ kind, publicKey }: CredentialEntity): KeyObject | undefined {
  try {
    return kind === 'Fido2' ? passkeyKey(publicKey) : parseCredentialKey(publicKey);
  } catch {
    return undefined;
  }
}
