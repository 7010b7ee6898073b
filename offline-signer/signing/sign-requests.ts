import type { MessagesOf } from '../../platform/fleets/assert-sign-output';
import type { FleetInput, SignRequest } from '../../platform/fleets/inputs';
import { Refusal } from '../../signer/wire/refusal';
import type { Uses } from '../ceremonies/finish-use';
import type { SigningDevice } from './device';
import { DeviceRefusal, refuseOnDeviceUnless } from './device-refusal';
import { type PreparedRequest, prepareRequest, withSecret } from './prepare-request';
import { requestPage } from './request-words';
import type { GroupSums } from './rules';
import { signMessages } from './sign-messages';
import { takeClaims } from './take-claims';

type Result = Extract<Uses[string], { readonly type: 'onchain-sign-v1' }>['result'];
type Judged = { readonly request: SignRequest } & ({ readonly prepared: PreparedRequest } | { readonly refused: Result });

/** Only names and fixed texts, so that a failure never repeats bytes or amounts. Throws every other error. */
function failureOf(error: unknown): Extract<Result, { readonly fail: unknown }> {
  if (error instanceof DeviceRefusal) return { fail: { code: error.fault, message: error.message } };
  if (!(error instanceof Refusal)) throw error;
  return { fail: { code: error.reason, message: 'the judgement by the code of the signer refuses the order' } };
}

async function judgeAll(requests: readonly SignRequest[], input: FleetInput, device: SigningDevice): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  let sums: GroupSums = new Map();
  for (const request of requests) {
    try {
      const next = await prepareRequest(request, input, device, sums);
      sums = next.sums;
      judged.push({ request, prepared: next.prepared });
    } catch (error) {
      judged.push({ request, refused: failureOf(error) });
    }
  }
  return judged;
}

function pageOf(one: Judged, at: number, all: number): readonly string[] {
  if ('prepared' in one) return requestPage(one.prepared, at, all);
  const { operationId, requestId } = one.request;
  const why = 'fail' in one.refused ? `${one.refused.fail.code}: ${one.refused.fail.message}` : '';
  return [`Request ${at + 1} of ${all}`, `Operation ${operationId}, request ${requestId}`, `REFUSED by this device. ${why}`];
}

/** Shows every request. Returns those that the operator confirmed, one by one or, if the rules allow it, all at once. */
async function confirmed(judged: readonly Judged[], { rules, screen }: SigningDevice): Promise<ReadonlySet<SignRequest>> {
  const accepted = new Set<SignRequest>();
  const signable = judged.filter((one) => 'prepared' in one).map(({ request }) => request);
  const isAtOnce = rules?.confirmAllAtOnce === true && signable.length > 1;
  for (const [at, one] of judged.entries()) {
    screen.say(pageOf(one, at, judged.length));
    if (isAtOnce || !('prepared' in one)) continue;
    if (await screen.confirm(`Sign request ${at + 1} of ${judged.length}?`)) accepted.add(one.request);
  }
  if (isAtOnce && (await screen.confirm(`Sign all ${signable.length} requests that were shown?`))) return new Set(signable);
  return accepted;
}

/** The claims are durable before the signature exists. After a crash in between, only the same payload can be signed. */
async function signOne(prepared: PreparedRequest, device: SigningDevice): Promise<Result> {
  const { request, asked, judged } = prepared;
  takeClaims(prepared, device.claims);
  const sign = (secret: Buffer) => signMessages(asked.order.sealed, secret, judged, request.key);
  return { success: await withSecret(device, prepared, sign) };
}

async function resultOf(one: Judged, accepted: ReadonlySet<SignRequest>, device: SigningDevice): Promise<Result> {
  if (!('prepared' in one)) return one.refused;
  try {
    refuseOnDeviceUnless(accepted.has(one.request), 'OperatorDeclined');
    return await signOne(one.prepared, device);
  } catch (error) {
    return failureOf(error);
  }
}

const isUnique = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;

/** `messagesOf` are the messages of the signed requests, with which the device checks its own output. */
export type SignedGroup = { readonly uses: Uses; readonly messagesOf: MessagesOf };

/**
 * Judges, shows and signs the requests of a group. The caller has verified the input: signed by the pinned signer, for this
 * fleet and manifest. A refused request never stops the others.
 */
export async function signRequests(input: FleetInput, device: SigningDevice): Promise<SignedGroup> {
  const { task } = input;
  refuseOnDeviceUnless(task.kind === 'OnchainSign', 'NotOffline');
  const { requests } = task;
  const areUnique =
    isUnique(requests.map(({ operationId }) => operationId)) && isUnique(requests.map(({ requestId }) => requestId));
  refuseOnDeviceUnless(areUnique, 'OrderMalformed');
  const judged = await judgeAll(requests, input, device);
  const accepted = await confirmed(judged, device);
  const uses: Uses = {};
  for (const one of judged)
    uses[one.request.operationId] = { type: 'onchain-sign-v1', result: await resultOf(one, accepted, device) };
  const messages = new Map(
    judged.flatMap((one) => ('prepared' in one ? [[one.request.requestId, one.prepared.judged.messages]] : [])),
  );
  return { uses, messagesOf: (requestId) => (messages.get(requestId) ?? []).map(({ message }) => message) };
}
