import { randomBytes } from 'node:crypto';
import { ACTION_LIFE_MS_MAX, ANCHOR_AGE_MS_MAX } from '../../domain/anchors';
import type { Caller } from '../../domain/callers';
import { refusedBlindAs } from '../../domain/charters';
import { CREDENTIAL_KINDS } from '../../domain/credentials';
import { AppError } from '../../domain/errors';
import { charterStore } from '../../entities/charters/charter.store';
import type { CredentialEntity } from '../../entities/credentials/credential.entity';
import { credentialStore } from '../../entities/credentials/credential.store';
import type { Database, Reader } from '../../entities/database';
import { signerAnchorStore } from '../../entities/deployment/signer-anchor.store';
import type { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import { userActionStore } from '../../entities/user-actions/user-action.store';
import { challengeOf, committedOf, NONCE_BYTES } from '../../platform/action-challenge';
import { sha256Hex } from '../../platform/digests';
import { newId } from '../../platform/ids';
import type { SecretBox } from '../../platform/secret-box';
import type { TokenClaims, TokenKeys } from '../../platform/token-keys';
import { unauthorized } from '../access-tokens/tokens';
import type { ApprovalCommitment } from '../approvals/decision-digests';
import {
  type Factors,
  type FirstFactor,
  type SecondFactor,
  useFactors,
  type VerifiedFactors,
  verifyFactors,
} from '../credentials/factors';
import type { IdentityServices } from '../users/identity-services';
import type { VerifiedAction } from './act';
import type { FindOperation } from './audit-logs';
import { assertSeen, seenOriginsFor } from './seen-actions';
import { sealBody } from './signed-bodies';
import { witnessOf } from './witnesses';

const SIGNING_WINDOW_MS = 5 * 60_000;
const USE_WINDOW_MS = ACTION_LIFE_MS_MAX - SIGNING_WINDOW_MS;

/** `payload` is the exact text of the body. */
export type Announced = { readonly method: string; readonly path: string; readonly payload: string };
export type Challenge = {
  readonly challenge: string;
  /** The content whose digest is the last 32 bytes of the challenge (S2). */
  readonly commitment: ReturnType<typeof committedOf>;
  readonly challengeIdentifier: string;
  /** Present if the charter demands a client that shows the caller the content to sign. */
  readonly seen?: { readonly origins: readonly string[] };
  readonly usable: readonly CredentialEntity[];
};

type Announcing = {
  readonly db: Database;
  readonly tokens: TokenKeys;
  readonly signedBodies: SecretBox;
  readonly findOperation: FindOperation;
};

/** Returns the challenge that commits to the action (S2). */
export async function announceAction(
  { db, tokens: keys, signedBodies, findOperation }: Announcing,
  caller: Caller,
  { method, path, payload }: Announced,
  commitment: ApprovalCommitment | undefined,
): Promise<Challenge> {
  const { orgId, userId, tokenId } = caller;
  const reader = db.read(orgId);
  const operation = findOperation(method, path);
  const [usable, { now, anchor }, seenOrigins] = await Promise.all([
    usableOf(reader, caller),
    signerAnchorStore.now(reader, ANCHOR_AGE_MS_MAX),
    seenOriginsFor(reader, caller, operation?.id ?? ''),
  ]);
  if (!usable.some(({ kind }) => CREDENTIAL_KINDS[kind].factor !== 'second')) throw credentialUnusable();
  const credentialIds = usable.map(({ credentialId }) => credentialId).sort();
  const id = newId('userAction');
  const nonce = randomBytes(NONCE_BYTES);
  const announced = await db.withOrg(orgId, async (tx) => {
    const dateExpires = new Date(now.getTime() + SIGNING_WINDOW_MS + USE_WINDOW_MS);
    const fields = {
      method,
      path,
      bodySha256: sha256Hex(payload),
      approvalDigest: commitment?.digest ?? null,
      decided: commitment?.decided ?? null,
      anchor,
      credentialIds,
      dateExpires,
      sealedBody: keepsBody(operation) ? sealBody(signedBodies, { orgId, id }, payload) : null,
    };
    const text = challengeOf(nonce, { orgId, userId, ...fields });
    await userActionStore.add(tx, { id, userId, tokenId, ...fields, nonce: nonce.toString('base64url'), challenge: text });
    return { challenge: text, commitment: committedOf({ orgId, userId, ...fields }) };
  });
  const challengeIdentifier = await keys.sign('challenge', { id, userId, orgId }, new Date(Date.now() + SIGNING_WINDOW_MS));
  const seen = seenOrigins === undefined ? {} : { seen: { origins: seenOrigins } };
  return { ...announced, ...seen, challengeIdentifier, usable };
}

/** Returns the token by which the request identifies the action. */
export async function signAction(
  { db, tokens: keys, ...services }: IdentityServices & { readonly db: Database; readonly tokens: TokenKeys },
  caller: Caller,
  challengeIdentifier: string,
  factors: Factors,
): Promise<string> {
  const claims = await keys.verify('challenge', challengeIdentifier);
  if (!claims || claims.orgId !== caller.orgId) throw challengeInvalid();
  const reader = db.read(caller.orgId);
  const [action, usable] = await Promise.all([userActionStore.find(reader, claims.id), usableOf(reader, caller)]);
  if (!action || !belongsTo(action, caller) || action.dateSigned !== null) throw challengeInvalid();

  const committed = usable.filter(({ credentialId }) => action.credentialIds.includes(credentialId));
  const { firstFactor, secondFactor } = factors;
  for (const factor of [firstFactor, secondFactor]) assertKnown(committed, factor);
  const asked = { orgId: caller.orgId, challenge: action.challenge, usable: committed };
  const verified = await verifyFactors(services, asked, factors);
  if (!verified) throw unauthorized();

  await db.withOrg(caller.orgId, async (tx) => {
    if (!(await useFactors(tx, verified))) throw unauthorized();
    const { use: _used, kind: firstFactorKind, ...evidence } = verified.first;
    const { use: _usedToo, ...secondFactorEvidence } = verified.second ?? {};
    const secondFactor = verified.second ? secondFactorEvidence : null;
    const witness = witnessTo(services.signedBodies, action, verified);
    const signed = await userActionStore.sign(tx, action.id, { ...evidence, firstFactorKind, secondFactor, witness });
    if (!signed) throw challengeInvalid();
  });
  const usableUntil = new Date(Math.min(Date.now() + USE_WINDOW_MS, action.dateExpires.getTime()));
  return keys.sign('userAction', { id: action.id, userId: caller.userId, orgId: caller.orgId }, usableUntil);
}

/** The exact text of the request is not stored if the text may contain a secret. */
const keepsBody = (operation: ReturnType<FindOperation>): boolean => operation?.userAction === true && !operation.secretBody;

/** Null if every factor signed, because the signatures then prove the action without trust in this service. */
function witnessTo(box: SecretBox, action: UserActionEntity, { first, second }: VerifiedFactors): string | null {
  if ([first, ...(second ? [second] : [])].every(({ kind }) => CREDENTIAL_KINDS[kind].signs)) return null;
  return witnessOf(box, { ...action, credentialUuid: first.credentialUuid, secondCredentialUuid: second?.credentialUuid });
}

export type Arrived = { readonly method: string; readonly path: string; readonly bytes: Buffer };

/** The content of the token, and the row that the token identifies. */
export type SentAction = {
  readonly claims: TokenClaims | undefined;
  readonly action: UserActionEntity | undefined;
  /** Undefined if the operation also accepts an action that was signed in a client that does not show the signed content. */
  readonly seenOrigins: readonly string[] | undefined;
};

/** The two queries start together, so one message takes both to the database. */
export async function sentAction(
  reader: Reader,
  { id }: TokenClaims,
  operationId: string,
): Promise<Pick<SentAction, 'action' | 'seenOrigins'>> {
  const [action, seenOrigins] = await Promise.all([
    userActionStore.find(reader, id),
    refusedBlindAs(operationId) === 'Request' ? charterStore.seenOrigins(reader, operationId) : undefined,
  ]);
  return { action, seenOrigins };
}

/** Throws unless the action authorises exactly this request. Does not use up the action. */
export function verifyAction(
  caller: Caller,
  { claims, action, seenOrigins }: SentAction,
  arrived: Arrived,
): VerifiedAction & { readonly approvalDigest: string | null } {
  if (!claims || claims.orgId !== caller.orgId) throw actionInvalid();
  if (!action || !belongsTo(action, caller) || action.dateSigned === null) throw actionInvalid();
  const { method, path, bytes } = arrived;
  const authorises = action.method === method && action.path === path && action.bodySha256 === sha256Hex(bytes);
  if (!authorises) throw actionInvalid();
  if (action.dateConsumed !== null) throw new AppError('UserActionUsed', 'user action has already been used');
  assertSeen(caller, action, seenOrigins);
  return { id: action.id, text: bytes.toString('utf8'), consumed: false, approvalDigest: action.approvalDigest };
}

/**
 * An action belongs to the session that announced the action, because another token of the user may have a different key and
 * fewer rights.
 */
const belongsTo = (action: UserActionEntity, { userId, tokenId }: Caller): boolean =>
  action.userId === userId && action.tokenId === tokenId;

/** The caller's credentials that may sign or accompany a signing credential. Recovery keys are left out. */
async function usableOf(reader: Reader, { userId, credentialUuid }: Caller): Promise<CredentialEntity[]> {
  const usable = await credentialStore.listUsable(reader, userId, credentialUuid);
  return usable.filter(({ kind }) => CREDENTIAL_KINDS[kind].factor !== 'none');
}

/** The error reveals that the credential is not usable, which a signed-in caller may learn. */
function assertKnown(usable: readonly CredentialEntity[], factor: FirstFactor | SecondFactor | undefined): void {
  if (factor === undefined || !('credentialAssertion' in factor)) return;
  const { credId } = factor.credentialAssertion;
  if (!usable.some(({ credentialId }) => credentialId === credId)) throw credentialUnusable();
}

const credentialUnusable = () =>
  new AppError('CredentialUnusable', 'User does not have a credential that can be used for the application.');

export const challengeInvalid = () => new AppError('ChallengeInvalid', 'Challenge token is not valid.');

export const actionInvalid = () => new AppError('UserActionInvalid', 'user action signature is missing or invalid');
