import { quoted } from '../../operator/charters/plain';
import { charterPolicies } from '../../signer/charters/charter';
import type { CharterInForce } from '../../signer/charters/charter-in-force';
import { assertNetworkAllowed } from '../../signer/judging/people/allowed-network';
import { Committed } from '../../signer/judging/people/approved-groups';
import type { AskedOrder } from '../../signer/judging/people/asked-order';
import { judgePeople } from '../../signer/judging/people/judge-people';
import { type ActionEvidence, assertedActionOf } from '../../signer/judging/people/signed-action';
import type { Evidence } from '../../signer/record/evidence';
import type { Claims } from '../state/claims';
import { refuseOnDeviceUnless } from './device-refusal';
import type { JudgedRequest } from './judged-request';
import { signedBefore } from './signed-before';

/** The form of an anchor (`signer/record/anchors.ts`). Only the signer has the key that proves an anchor. */
const ANCHOR = /^anchor1\.([A-Za-z0-9_-]{1,64})\.(0|[1-9][0-9]{0,14})\./;

/**
 * The time in an anchor of the pinned signer. The device cannot prove the time, so a stolen key of the signer could date actions
 * wrongly. Such an action still needs signatures of people, and serves only one payload on this device.
 */
export const statedAnchors = (signerId: string) => ({
  madeAtMs(anchor: string): number | undefined {
    const [, madeBy, timeMs] = ANCHOR.exec(anchor) ?? [];
    return madeBy === signerId && timeMs !== undefined ? Number(timeMs) : undefined;
  },
});

export type DeviceAuthority = {
  readonly charter: CharterInForce | undefined;
  readonly signerId: string;
  /** The key store of the device, which holds the key of the order. */
  readonly storeId: string;
  readonly requireCharter: boolean;
  readonly claims: Pick<Claims, 'usesOf' | 'ofRequest'>;
};

export type PeopleFound = {
  /** Claims on the signed action, which serves only one payload. */
  readonly claims: readonly string[];
  readonly lines: readonly string[];
};

const isAction = (one: Evidence): one is ActionEvidence => one.kind !== 'Approval';

/** The users whose signatures verify under the charter, in the order of the evidence. */
function verifiedUsers(
  charter: CharterInForce,
  evidence: readonly Evidence[],
  kind: ActionEvidence['kind'],
  nowMs: number,
): string[] {
  const users = evidence.filter(isAction).flatMap((one) => {
    if (one.kind !== kind) return [];
    try {
      return [assertedActionOf(charter, one, nowMs).member.userId];
    } catch {
      return [];
    }
  });
  return [...new Set(users)];
}

/**
 * Throws a `Refusal` unless people asked for the order and approved it as the charter demands, by the code of the signer.
 * Throws a `DeviceRefusal` without a charter if the rules of the device demand one.
 */
export function judgePeopleOf(asked: AskedOrder, judged: JudgedRequest, authority: DeviceAuthority): PeopleFound {
  const { charter, signerId, storeId, requireCharter, claims } = authority;
  const { order } = asked;
  const evidence = order.evidence ?? [];
  // An offline device has no caller who could read the memory, so the arithmetic in JavaScript is allowed on mainnets.
  assertNetworkAllowed(judged.network, order.sealed, charter, 'native');
  if (charter === undefined) {
    refuseOnDeviceUnless(!requireCharter, 'CharterRequired');
    return { claims: [], lines: ['No charter: only the signer vouches for what people approved.', ...statedLines(evidence)] };
  }
  const nowMs = Date.parse(order.issuedAt);
  const storeOf = (keyId: string) => (keyId === order.keyId ? storeId : undefined);
  const log = signedBefore(asked, claims);
  const known = { network: judged.transactionOn, log, storeOf, anchors: statedAnchors(signerId), nowMs };
  const { action, isRepetition } = judgePeople(charter, asked, judged.signed, known);
  const { sequence } = charter.content;
  const by = (kind: ActionEvidence['kind']) => verifiedUsers(charter, evidence, kind, nowMs).join(', ');
  const why = isRepetition ? 'the order repeats a payment that this device has signed' : 'the order moves nothing';
  if (!action) return { claims: [], lines: [`Charter ${sequence}: ${why}, so no person had to ask for it.`] };
  return {
    claims: [`action ${order.orgId} ${action.digest}`],
    lines: [
      `Charter ${sequence}: the device has verified the signatures of people.`,
      `Asked for by: ${by('Initiator')}`,
      ...policyLines(charter, evidence),
      `Approved by: ${by('Approver') || 'the policies of the charter demand no approval'}`,
    ],
  };
}

/** The groups whose approval the charter demanded. The judgement has compared them with its policies. */
function policyLines({ content }: CharterInForce, evidence: readonly Evidence[]): readonly string[] {
  return evidence.flatMap((one) => {
    if (one.kind !== 'Approval') return [];
    const { groups } = Committed.parse(JSON.parse(one.committed));
    return groups.map(({ policyId, quorum }) => {
      const name = charterPolicies(content).find(({ id }) => id === policyId)?.name;
      return `Policy ${quoted(name ?? policyId)} demands ${quorum} ${quorum === 1 ? 'approval' : 'approvals'}`;
    });
  });
}

const statedLines = (evidence: readonly Evidence[]): readonly string[] =>
  evidence
    .filter(isAction)
    .map(({ kind, userId }) => `${kind === 'Initiator' ? 'Asked for by' : 'Approved by'}: ${userId} (not verified)`);
