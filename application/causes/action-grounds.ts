import { CAUSES, type CauseId, paramsIn } from '../../domain/causes';
import { allows, intersection } from '../../domain/permissions';
import { accessTokenStore } from '../../entities/access-tokens/access-token.store';
import type { Reader } from '../../entities/database';
import type { SecretBox } from '../../platform/secret-box';
import { type BodyOf, CAUSE_BODIES } from '../bodies/of-causes';
import { type ProvenAction, verifyRecordedAction } from '../user-actions/recorded-actions';
import { openBody } from '../user-actions/signed-bodies';
import { proven } from './refused';
import { readText } from './signed-text';

export type Requested = {
  readonly orgId: string;
  readonly userActionId: string | null;
  readonly userId: string;
  readonly tokenId: string | null;
};

export type ActionGrounds<C extends CauseId = CauseId> = {
  readonly action: ProvenAction;
  readonly cause: C;
  readonly params: Readonly<Record<string, string>>;
  /** Undefined if only the digest of the body was stored. */
  readonly body: { readonly read: BodyOf[C] } | undefined;
};

/**
 * Reads and checks the user action that caused a request. The requester must have signed the action, and `act` must have consumed
 * the action. The action's path must belong to one of `causes`. Unless `standing` is false, the requester must still be allowed
 * to call the operation. Throws `UnprovenRequest`.
 */
export async function actionGroundsOf(
  reader: Reader,
  signedBodies: SecretBox,
  { orgId, userActionId, userId, tokenId }: Requested,
  causes: readonly CauseId[],
  { standing: asksStanding = true }: { readonly standing?: boolean } = {},
): Promise<ActionGrounds> {
  // The queries start without an await in between, so that all of them go to the database in one message.
  const [action, standing] = await Promise.all([
    actionOf(reader, signedBodies, { orgId, userActionId, userId }),
    asksStanding ? accessTokenStore.standing(reader, userId, tokenId) : undefined,
  ]);
  const found = causes.map((cause) => ({ cause, params: paramsIn(cause, action.path) })).find(({ params }) => params);
  proven(action.method === 'POST' && found?.params, 'PathDiffers');
  const { cause, params } = found;
  if (asksStanding) {
    proven(standing?.userActive, 'RequesterInactive');
    const permissions = intersection(new Set(standing.operations), standing.tokenOperations && new Set(standing.tokenOperations));
    proven(allows(permissions, CAUSES[cause].permission, cause), 'NotPermitted');
  }
  return { action, cause, params, body: bodyOf(signedBodies, action, cause) };
}

/** Checks the record and the signer of the action, but not the operation. */
async function actionOf(
  reader: Reader,
  signedBodies: SecretBox,
  { orgId, userActionId, userId }: Omit<Requested, 'tokenId'>,
): Promise<ProvenAction> {
  proven(userActionId !== null, 'NoAction');
  const recorded = await verifyRecordedAction(reader, userActionId, { signedBodies });
  proven(recorded.kind === 'Proven', recorded.kind === 'Unproven' ? recorded.reason : '');
  proven(recorded.action.orgId === orgId && recorded.action.userId === userId, 'ActionOfAnother');
  return recorded.action;
}

function bodyOf<C extends CauseId>(signedBodies: SecretBox, action: ProvenAction, cause: C): ActionGrounds<C>['body'] {
  const text = openBody(signedBodies, action);
  return text === undefined ? undefined : { read: readText(CAUSE_BODIES[cause], text) };
}

const isOf = <C extends CauseId>(grounds: ActionGrounds, causes: readonly C[]): grounds is ActionGrounds<C> =>
  causes.some((cause) => cause === grounds.cause);

/**
 * Returns the body that the requester signed. Returns `Earlier` for an action from an earlier release, which stored only the
 * digest of the body; the caller has to report this result. Throws `UnprovenRequest` if the action belongs to none of `causes`,
 * or if an action of this release has no stored body.
 */
export function keptBody<C extends CauseId>(grounds: ActionGrounds, causes: readonly C[]): BodyOf[C] | 'Earlier' {
  proven(isOf(grounds, causes), 'PathDiffers');
  const { action, body } = grounds;
  if (body !== undefined) return body.read;
  proven(action.isEarlier && action.sealedBody === null, 'BodyMissing');
  return 'Earlier';
}
