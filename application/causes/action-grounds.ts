import { CAUSES, type CauseId, paramsIn } from '../../domain/causes';
import { allows, intersection } from '../../domain/permissions';
import { accessTokenStore } from '../../entities/access-tokens/access-token.store';
import type { Reader } from '../../entities/database';
import type { SecretBox } from '../../platform/secret-box';
import { parseStrictJson } from '../../platform/strict-json';
import { type ProvenAction, verifyRecordedAction } from '../recorded-actions';
import { openBody } from '../signed-bodies';
import { proven } from './refused';

export type Requested = {
  readonly orgId: string;
  readonly userActionId: string | null;
  readonly userId: string;
  readonly tokenId: string | null;
};

export type Grounds = {
  readonly action: ProvenAction;
  readonly cause: CauseId;
  readonly params: Readonly<Record<string, string>>;
  /** The signed body as JSON; undefined where only its digest is kept. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
};

/**
 * The user action behind a request: signed, consumed, of the requester, for one of these operations, by somebody who may still
 * call it now. Throws `UnprovenRequest`.
 */
export async function groundsOf(
  reader: Reader,
  signedBodies: SecretBox,
  { orgId, userActionId, userId, tokenId }: Requested,
  causes: readonly CauseId[],
  { standing: asksStanding = true }: { readonly standing?: boolean } = {},
): Promise<Grounds> {
  // Asked for at once, so that all of it is one message to the database.
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
  return { action, cause, params, body: bodyOf(signedBodies, action) };
}

/** The action alone, of whatever operation. */
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

function bodyOf(signedBodies: SecretBox, action: ProvenAction): Grounds['body'] {
  const text = openBody(signedBodies, action);
  if (text === undefined) return undefined;
  const json = parseStrictJson(Buffer.from(text === '' ? '{}' : text, 'utf8'));
  proven(json.ok && typeof json.value === 'object' && json.value !== null && !Array.isArray(json.value), 'BodyUnreadable');
  return json.value as Readonly<Record<string, unknown>>;
}

/** A signed text as the request that an operation took from it: the schema of that operation accepted it when it came. */
export const requestIn = <R extends object>(body: Readonly<Record<string, unknown>>): R => body as R;

/** Throws unless the text was kept; an action from before texts were kept is judged by its digest alone, which the caller tells. */
export function keptBody({ action, body }: Grounds): NonNullable<Grounds['body']> | 'Earlier' {
  if (body !== undefined) return body;
  proven(action.isEarlier && action.sealedBody === null, 'BodyMissing');
  return 'Earlier';
}
