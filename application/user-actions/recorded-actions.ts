import { z } from 'zod';
import { CREDENTIAL_KINDS, type CredentialKind, FIRST_FACTOR_KINDS, SECOND_FACTOR_KINDS } from '../../domain/credentials';
import type { CredentialEntity } from '../../entities/credentials/credential.entity';
import { credentialStore } from '../../entities/credentials/credential.store';
import type { Reader } from '../../entities/database';
import type { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import { userActionStore } from '../../entities/user-actions/user-action.store';
import { challengeOf } from '../../platform/action-challenge';
import { digestOfDecisions } from '../../platform/decided-approvals';
import { isRecordedByKey } from '../../platform/key-assertions';
import { verifyPasskeyAssertion } from '../../platform/passkeys';
import type { SecretBox } from '../../platform/secret-box';
import { isWitnessed } from './witnesses';

export type Unproven =
  | 'NoSuchAction'
  | 'NotSigned'
  | 'NotConsumed'
  | 'ConsumedLate'
  | 'ChallengeDiffers'
  | 'DecidedDiffers'
  | 'FactorsInsufficient'
  | 'NoSuchCredential'
  | 'CredentialNotCommitted'
  | 'CredentialNotInForce'
  | 'PublicKeyDiffers'
  | 'AssertionInvalid'
  | 'WitnessInvalid';

/** An action whose record proves that its user authorised exactly this request. */
export type ProvenAction = UserActionEntity & {
  readonly dateConsumed: Date;
  /** The current credential rows, first factor first. A credential may have been deactivated since the action. */
  readonly credentials: readonly CredentialEntity[];
};

export type RecordedAction =
  | { readonly kind: 'Proven'; readonly action: ProvenAction }
  | { readonly kind: 'Unproven'; readonly reason: Unproven };

export type RecordedTerms = {
  /**
   * The time at which each credential must exist and must not be removed. By default the time at which the action was used up.
   */
  readonly asOf?: Date | undefined;
  readonly signedBodies: SecretBox;
};

/**
 * Recomputes the challenge and checks every assertion with the public key in the credential's row. For factors that do not sign,
 * checks the witness (`witnesses.ts`) that the API sealed after the API verified these factors. The action must belong to the
 * reader's organisation.
 */
export async function verifyRecordedAction(reader: Reader, userActionId: string, terms: RecordedTerms): Promise<RecordedAction> {
  return (await verifyRecordedActions(reader, [userActionId], terms)).get(userActionId) ?? unproven('NoSuchAction');
}

/**
 * Verifies several actions with the same number of database statements as one action. An action that does not exist is missing
 * from the result.
 */
export async function verifyRecordedActions(
  reader: Reader,
  userActionIds: readonly string[],
  terms: RecordedTerms,
): Promise<ReadonlyMap<string, RecordedAction>> {
  // The two queries start together, so a reader outside a transaction sends both in one message to the database.
  const [actions, credentials] = await Promise.all([
    userActionStore.all(reader, userActionIds),
    credentialStore.named(reader, userActionIds),
  ]);
  const verified = new Map<string, RecordedAction>();
  for (const action of actions) verified.set(action.id, await verify(action, credentials, terms));
  return verified;
}

async function verify(
  action: UserActionEntity,
  all: readonly CredentialEntity[],
  { asOf, signedBodies }: RecordedTerms,
): Promise<RecordedAction> {
  const { dateConsumed, approvalDigest, decided } = action;
  if (action.dateSigned === null) return unproven('NotSigned');
  if (dateConsumed === null) return unproven('NotConsumed');
  if (dateConsumed > action.dateExpires) return unproven('ConsumedLate');
  if (challengeOf(Buffer.from(action.nonce, 'base64url'), action) !== action.challenge) return unproven('ChallengeDiffers');
  if (decided !== null && digestOfDecisions(decided) !== approvalDigest) return unproven('DecidedDiffers');

  const first = firstFactorOf(action, all);
  const second = action.secondFactor === null ? undefined : Factor.safeParse(action.secondFactor).data;
  if (!first || (action.secondFactor !== null && !second)) return unproven('NotSigned');
  if (!areSufficient(first, second)) return unproven('FactorsInsufficient');
  const factors = second ? [first, second] : [first];
  const credentials: CredentialEntity[] = [];
  for (const factor of factors) {
    const credential = all.find(({ id }) => id === factor.credentialUuid);
    if (!credential) return unproven('NoSuchCredential');
    const fault = await faultOf(action, factor, credential, asOf ?? dateConsumed);
    if (fault !== undefined) return unproven(fault);
    credentials.push(credential);
  }
  const isWhole = factors.every(({ kind }) => signs(kind));
  const witnessed = { ...action, secondCredentialUuid: second?.credentialUuid };
  // `isEarlier` marks actions from before witnesses were stored, and no database role can set this mark.
  if (!isWhole && !action.isEarlier && !isWitnessed(signedBodies, witnessed, action.witness)) return unproven('WitnessInvalid');
  return { kind: 'Proven', action: { ...action, dateConsumed, credentials } };
}

const unproven = (reason: Unproven): RecordedAction => ({ kind: 'Unproven', reason });

const KINDS = Object.keys(CREDENTIAL_KINDS) as CredentialKind[];
const Factor = z.object({
  kind: z.enum(KINDS),
  credentialUuid: z.string(),
  publicKey: z.string().nullable(),
  clientData: z.string().nullable(),
  signature: z.string().nullable(),
  authenticatorData: z.string().nullable(),
});
type Factor = z.infer<typeof Factor>;

const signs = (kind: CredentialKind): boolean => CREDENTIAL_KINDS[kind].signs;

/** An action from an earlier release has no kind of factor; the kind then comes from the credential's row. */
function firstFactorOf(action: UserActionEntity, credentials: readonly CredentialEntity[]): Factor | undefined {
  const { credentialUuid, publicKey, clientData, signature, authenticatorData } = action;
  if (credentialUuid === null) return undefined;
  const kind = action.firstFactorKind ?? credentials.find(({ id }) => id === credentialUuid)?.kind;
  if (kind === undefined) return undefined;
  return { kind, credentialUuid, publicKey, clientData, signature, authenticatorData };
}

/** The rules of `verifyFactors`, applied to a record. */
function areSufficient(first: Factor, second: Factor | undefined): boolean {
  if (!FIRST_FACTOR_KINDS.includes(first.kind)) return false;
  if (!second) return !CREDENTIAL_KINDS[first.kind].requiresSecondFactor;
  return SECOND_FACTOR_KINDS.includes(second.kind) && second.credentialUuid !== first.credentialUuid;
}

async function faultOf(
  action: UserActionEntity,
  factor: Factor,
  credential: CredentialEntity,
  asOf: Date,
): Promise<Unproven | undefined> {
  if (credential.userId !== action.userId || credential.kind !== factor.kind) return 'NoSuchCredential';
  if (!action.credentialIds.includes(credential.credentialId)) return 'CredentialNotCommitted';
  const { dateCreated, dateRemoved } = credential;
  if (dateCreated > asOf || (dateRemoved !== null && dateRemoved < asOf)) return 'CredentialNotInForce';
  if (!signs(factor.kind)) return undefined;
  if (factor.publicKey !== credential.publicKey) return 'PublicKeyDiffers';
  return (await isAsserted(action.challenge, factor, credential)) ? undefined : 'AssertionInvalid';
}

async function isAsserted(challenge: string, factor: Factor, credential: CredentialEntity): Promise<boolean> {
  const { clientData, signature, authenticatorData } = factor;
  if (clientData === null || signature === null) return false;
  const { credentialId, publicKey } = credential;
  if (factor.kind !== 'Fido2') return isRecordedByKey(publicKey, challenge, { clientData, signature });
  if (authenticatorData === null) return false;
  const assertion = { credId: credentialId, clientData, signature, authenticatorData };
  // The counter was checked when the assertion was used. A record is read many times, so the counter is not checked again.
  const stored = { credentialId, publicKey, signCount: 0 };
  return (await verifyPasskeyAssertion(relyingPartyOf(credential, clientData), challenge, stored, assertion)) !== undefined;
}

/**
 * The relying party at the time of the credential's registration, so that a later change of settings does not invalidate any
 * record. The origin in the client data is accepted too if this origin belongs to the relying party's domain. Browsers let only
 * pages of that domain use the relying party's id.
 */
function relyingPartyOf({ relyingPartyId: id, origin }: CredentialEntity, clientData: string) {
  const used = ClientOrigin.safeParse(parsed(Buffer.from(clientData, 'base64url').toString('utf8'))).data?.origin ?? '';
  const host = URL.canParse(used) ? new URL(used).hostname : '';
  const isOfDomain = host === id || host.endsWith(`.${id}`);
  return { id, name: id, origins: isOfDomain ? [origin, used] : [origin] };
}

const ClientOrigin = z.object({ origin: z.string() });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
