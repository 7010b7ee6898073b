import { paramsIn } from '../../domain/causes';
import { CHARTER_CAUSES } from '../../domain/charter-requests';
import type { CharterOperation } from '../../domain/charters';
import { plain } from '../../operator/charters/plain';
import { sha256Hex } from '../../platform/digests';
import type { CharterWallet } from '../../signer/charters/charter';
import type { CharterInForce } from '../../signer/charters/charter-in-force';
import { type ActionEvidence, type AssertedAction, assertedActionOf } from '../../signer/judging/people/signed-action';
import { assertVerified, NotVerified } from '../not-verified';
import { refusalWords } from '../refusal-words';
import { ACTION_LEFT_MS_MAX } from '../user-action';
import { line } from './content-words';
import { isTransferOf, Movement } from './movement';

/** The action that the requester signed, verified with a key of the charter. Throws `NotVerified`. */
export function requestOf(charter: CharterInForce, evidence: ActionEvidence, now: Date): AssertedAction {
  const { body, bodySha256 } = evidence;
  if (body === undefined)
    throw new NotVerified('The text of the request is EXPIRED: the service no longer keeps it, and only its digest was signed.');
  assertVerified(sha256Hex(body) === bodySha256, 'The text of the request was ALTERED: it is not the one that was signed.');
  assertVerified(
    Date.parse(evidence.dateExpires) - now.getTime() <= ACTION_LEFT_MS_MAX,
    `The request stays valid until ${evidence.dateExpires}, far longer than the service allows, or the clock of your machine is slow.`,
  );
  try {
    return assertedActionOf(charter, evidence, now.getTime());
  } catch (error) {
    throw new NotVerified(`The request proves nothing: ${refusalWords(error)}.`);
  }
}

/** Throws `NotVerified` unless the charter accepts the requester's signed action for this operation. */
export function assertCounted({ member, refusalFor }: AssertedAction, operation: CharterOperation): void {
  const by = plain(member.userId);
  const reason = refusalFor(operation);
  assertVerified(reason !== 'NotPermitted', `The charter does not let the key of ${by} ask for this.`);
  assertVerified(reason === undefined, `${by} signed the request without seeing it, so the charter does not count the request.`);
}

const isOf = ({ network, from }: Movement, wallet: CharterWallet | undefined): boolean =>
  wallet?.network === network && wallet.address === from;

/**
 * The lines that show who requested what. Throws `NotVerified` unless the requester signed a request for exactly this content.
 * For a request other than a transfer, the text is shown and not compared, because only the signer has the bytes for the
 * comparison.
 */
export function requesterLines(
  charter: CharterInForce,
  evidence: ActionEvidence,
  content: Readonly<Record<string, unknown>>,
  now: Date,
): readonly string[] {
  const action = requestOf(charter, evidence, now);
  const { member, method, path, body } = action;
  const cause = CHARTER_CAUSES.find((one) => method === 'POST' && paramsIn(one, path) !== undefined);
  const { walletId = '', keyId } = (cause && paramsIn(cause, path)) ?? {};
  if (!cause) throw new NotVerified(`The requester signed another kind of request: ${plain(`${method} ${path}`)}.`);
  assertCounted(action, cause);
  const movement = Movement.safeParse(content).data;
  const isAtPlace = movement ? isOf(movement, charter.wallet(walletId)) : isOfKey(charter, content, { walletId, keyId });
  assertVerified(isAtPlace, 'The requester asked for ANOTHER WALLET than the content names.');
  if (movement && cause === 'transferAsset')
    assertVerified(
      isTransferOf(movement, body),
      `The content was ALTERED: the requester asked for something else, namely ${plain(body)}.`,
    );
  return [
    line(
      'Asked by',
      `${member.userId}${member.hand === member.userId ? '' : `, which counts as ${member.hand}`}, with a key of the charter`,
    ),
    ...(cause === 'transferAsset' ? [] : [line('Asked for', plain(body))]),
  ];
}

const isOfKey = (
  charter: CharterInForce,
  content: Readonly<Record<string, unknown>>,
  { walletId, keyId }: { readonly walletId: string; readonly keyId: string | undefined },
): boolean => (keyId ?? charter.wallet(walletId)?.keyId) === content['keyId'];
