import type { Caller } from '../../domain/callers';
import { type CharterOperation, refusedBlindAs } from '../../domain/charters';
import { AppError } from '../../domain/errors';
import { charterStore } from '../../entities/charters/charter.store';
import type { Reader } from '../../entities/database';
import type { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import { isSeenAssertion } from '../../platform/seen-assertions';

type Signed = Pick<UserActionEntity, 'firstFactorKind' | 'clientData' | 'secondFactor'>;

/**
 * Throws `UserActionNotSeen` if a person signed the action in a client that does not show the signed content. This early check
 * only anticipates the signer's decision. `origins` comes from the charter, and is undefined if the charter accepts every client.
 */
export function assertSeen({ kind }: Pick<Caller, 'kind'>, action: Signed, origins: readonly string[] | undefined): void {
  if (origins === undefined || kind === 'ServiceAccount') return;
  const { secondFactor } = action;
  const factors = [
    { kind: action.firstFactorKind, clientData: action.clientData },
    { kind: secondFactor?.['kind'], clientData: secondFactor?.['clientData'] },
  ];
  const isSeen = factors.some(
    ({ kind, clientData }) =>
      (kind === 'Key' || kind === 'Fido2') && typeof clientData === 'string' && isSeenAssertion(kind, clientData, origins),
  );
  if (isSeen) return;
  throw new AppError(
    'UserActionNotSeen',
    'the charter of the organisation demands that people see what they sign: sign with strongroom-verify or on a listed page',
    { origins },
  );
}

const VOTE = 'createApprovalDecision' satisfies CharterOperation;
const VOTES = [VOTE, 'createApprovalDecisions'];

/**
 * The allowed origins for a client that announces an operation. Undefined if the caller's action is accepted even if the client
 * does not show the signed content.
 */
export async function seenOriginsFor(
  reader: Reader,
  { kind }: Pick<Caller, 'kind'>,
  operationId: string,
): Promise<readonly string[] | undefined> {
  if (kind === 'ServiceAccount') return undefined;
  if (VOTES.includes(operationId)) return charterStore.seenOrigins(reader, VOTE);
  return refusedBlindAs(operationId) === 'Request' ? charterStore.seenOrigins(reader, operationId) : undefined;
}

/** Like `assertSeen`, for an approving vote. */
export async function assertVoteSeen(reader: Reader, caller: Pick<Caller, 'kind'>, action: Signed): Promise<void> {
  assertSeen(caller, action, await charterStore.seenOrigins(reader, VOTE));
}
