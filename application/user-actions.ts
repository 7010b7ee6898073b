import { createHash, type KeyObject, randomBytes } from 'node:crypto';
import type { Caller } from '../domain/callers';
import { AppError } from '../domain/errors';
import { credentialStore } from '../entities/credentials/credential.store';
import type { Database } from '../entities/database';
import type { UserActionEntity } from '../entities/user-actions/user-action.entity';
import { userActionStore } from '../entities/user-actions/user-action.store';
import { parseCredentialKey, verifyAssertion } from '../platform/credential-keys';
import { newId } from '../platform/ids';
import type { TokenKeys } from '../platform/token-keys';
import type { VerifiedAction } from './authority';
import { challengeOf, NONCE_BYTES } from './challenge';
import { readClientData } from './client-data';
import { unauthorized } from './tokens';

const SIGNING_WINDOW_MS = 5 * 60_000;
const USE_WINDOW_MS = 5 * 60_000;

/** The request that a user action will authorise; `payload` is the exact text of its body. */
export type Announced = { readonly method: string; readonly path: string; readonly payload: string };
export type Challenge = {
  readonly challenge: string;
  readonly challengeIdentifier: string;
  readonly credentialIds: readonly string[];
};
export type Assertion = {
  readonly credId: string;
  readonly clientData: string;
  readonly signature: string;
  readonly algorithm?: string | undefined;
};

export const sha256Hex = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Stores what is to be authorised and answers the challenge that commits to it (S2). */
export async function announceAction(
  db: Database,
  keys: TokenKeys,
  caller: Caller,
  { method, path, payload }: Announced,
  approvalDigest: string | undefined,
): Promise<Challenge> {
  const { orgId, userId, tokenId, credentialUuid } = caller;
  const usable = await credentialStore.listUsable(db.read(orgId), userId, credentialUuid);
  if (usable.length === 0) throw credentialUnusable();
  const credentialIds = usable.map(({ credentialId }) => credentialId).sort();
  const id = newId('userAction');
  const nonce = randomBytes(NONCE_BYTES);
  const challenge = await db.withOrg(orgId, async (tx) => {
    const now = await tx.clock();
    const dateExpires = new Date(now.getTime() + SIGNING_WINDOW_MS + USE_WINDOW_MS);
    const fields = {
      method,
      path,
      bodySha256: sha256Hex(payload),
      approvalDigest: approvalDigest ?? null,
      credentialIds,
      dateExpires,
    };
    const text = challengeOf(nonce, { orgId, userId, ...fields });
    await userActionStore.add(tx, { id, userId, tokenId, ...fields, nonce: nonce.toString('base64url'), challenge: text });
    return text;
  });
  const challengeIdentifier = await keys.sign('challenge', { id, userId, orgId }, new Date(Date.now() + SIGNING_WINDOW_MS));
  return { challenge, challengeIdentifier, credentialIds };
}

/** Verifies the signature over an announced action and answers the token that carries it to the request. */
export async function signAction(
  db: Database,
  keys: TokenKeys,
  caller: Caller,
  challengeIdentifier: string,
  assertion: Assertion,
): Promise<string> {
  const claims = await keys.verify('challenge', challengeIdentifier);
  if (!claims || claims.orgId !== caller.orgId) throw challengeInvalid();
  const reader = db.read(caller.orgId);
  const action = await userActionStore.find(reader, claims.id);
  if (!action || !belongsTo(action, caller) || action.dateSigned !== null) throw challengeInvalid();

  const credential = await credentialStore.findActive(reader, caller.userId, assertion.credId);
  if (!credential || !action.credentialIds.includes(credential.credentialId)) {
    throw credentialUnusable();
  }
  const clientData = readClientData(assertion.clientData);
  if (clientData?.challenge !== action.challenge) throw unauthorized();
  const signature = Buffer.from(assertion.signature, 'base64url');
  const key = usableKey(credential.publicKey);
  if (!verifyAssertion(key, clientData.bytes, signature, assertion.algorithm)) throw unauthorized();

  const signed = await db.withOrg(caller.orgId, (tx) =>
    userActionStore.sign(tx, action.id, {
      credentialUuid: credential.id,
      publicKey: credential.publicKey,
      clientData: assertion.clientData,
      signature: assertion.signature,
    }),
  );
  if (!signed) throw challengeInvalid();
  const usableUntil = new Date(Math.min(Date.now() + USE_WINDOW_MS, action.dateExpires.getTime()));
  return keys.sign('userAction', { id: action.id, userId: caller.userId, orgId: caller.orgId }, usableUntil);
}

/** A request as it arrived: what a user action is compared with. */
export type Arrived = { readonly method: string; readonly path: string; readonly bodySha256: string };

/** The action behind a user action token, if it authorises exactly this request; it is not consumed yet. */
export async function verifyAction(
  db: Database,
  keys: TokenKeys,
  caller: Caller,
  userAction: string | undefined,
  arrived: Arrived,
): Promise<VerifiedAction & { readonly approvalDigest: string | null }> {
  const claims = userAction === undefined ? undefined : await keys.verify('userAction', userAction);
  if (!claims || claims.orgId !== caller.orgId) throw actionInvalid();
  const action = await userActionStore.find(db.read(caller.orgId), claims.id);
  if (!action || !belongsTo(action, caller) || action.dateSigned === null) throw actionInvalid();
  const authorises = action.method === arrived.method && action.path === arrived.path && action.bodySha256 === arrived.bodySha256;
  if (!authorises) throw actionInvalid();
  if (action.dateConsumed !== null) throw new AppError('UserActionUsed', 'user action has already been used');
  return { id: action.id, consumed: false, approvalDigest: action.approvalDigest };
}

/** An action belongs to the session that announced it: another token of the user may have another key and fewer rights. */
const belongsTo = (action: UserActionEntity, { userId, tokenId }: Caller): boolean =>
  action.userId === userId && action.tokenId === tokenId;

/** The rules for a new key hold at every use, because whoever writes the database could put a weak key into an old row. */
function usableKey(pem: string): KeyObject {
  try {
    return parseCredentialKey(pem);
  } catch {
    throw credentialUnusable();
  }
}

const credentialUnusable = () =>
  new AppError('CredentialUnusable', 'User does not have a credential that can be used for the application.');

const challengeInvalid = () => new AppError('ChallengeInvalid', 'Challenge token is not valid.');

export const actionInvalid = () => new AppError('UserActionInvalid', 'user action signature is missing or invalid');
