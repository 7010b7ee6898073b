import { codecOf } from '../../chains/codecs';
import { MICRO_PER_UNIT } from '../../domain/amounts';
import type { Evaluation } from '../../domain/approvals';
import { AppError } from '../../domain/errors';
import { isKeyNetwork } from '../../domain/networks';
import type { ChangeActivityKind } from '../../domain/policies';
import type { Database, Tx } from '../../entities/database';
import { knownIds } from '../../entities/known-ids';
import { type Policy, policyStore } from '../../entities/policies/policy.store';
import { UserEntity } from '../../entities/users/user.entity';
import { walletStore } from '../../entities/wallets/wallet.store';
import { applying, evaluate } from '../../policy/evaluate';
import { type Needs, needsOf } from '../../policy/needs';
import type { ChangeFacts, Facts, Outcome, Verdict } from '../../policy/types';
import { votersNow } from '../approvals/voters';
import { listedAddresses } from '../registry/listed-addresses';
import { badField } from '../request-faults';
import { peekUsage } from '../usage/usage';
import { subjectOf } from '../wallets/wallet-facts';

type Asker = { readonly orgId: string; readonly userId: string };
type Transfer = {
  readonly activityKind: 'Wallets:Sign';
  readonly walletId: string;
  /** Absent if the recipient is unknown. */
  readonly to?: string | undefined;
  /** Dollars with up to six decimals; absent if no price is known. */
  readonly valueUsd?: string | undefined;
};
type Change = {
  readonly activityKind: ChangeActivityKind;
  readonly permissionId?: string | undefined;
  readonly policyId?: string | undefined;
};
export type Hypothetical = (Transfer | Change) & { readonly initiatorId?: string | undefined };

type Judged = { readonly facts: Facts | ChangeFacts; readonly policies: readonly Policy[]; readonly needs: Needs };

/** Judges the activity without counting usage, emitting events or querying vendors. */
export function dryRun(db: Database, { orgId, userId }: Asker, activity: Hypothetical) {
  return db.withOrg(orgId, async (tx) => {
    const initiatorId = activity.initiatorId ?? userId;
    if (!(await tx.row(UserEntity, 'WHERE t.id = $1', [initiatorId])))
      throw badField('initiatorId', 'is not a user of the organisation');
    const { facts, policies, needs } =
      activity.activityKind === 'Wallets:Sign'
        ? await ofTransfer(tx, activity, initiatorId)
        : await ofChange(tx, activity, initiatorId);
    const verdict = evaluate(policies, facts);
    const asks = [...needs.screenings, ...(needs.travelRule ? (['TravelRule'] as const) : [])];
    return {
      outcome: verdict.outcome,
      evaluations: named(verdict.evaluations, policies),
      shadows: named(verdict.shadows, policies),
      blockedBy: [...verdict.blockedBy],
      groups: await groupsOf(tx, verdict, initiatorId),
      autoRejectTimeoutMinutes: verdict.autoRejectTimeoutMinutes,
      wouldAsk: asks,
      ...(asks.length === 0 || !('walletId' in facts) ? {} : { outcomeWhenVendorsFindNothing: unobjected(policies, facts) }),
    };
  });
}

async function ofTransfer(tx: Tx, { walletId, to, valueUsd }: Transfer, initiatorId: string): Promise<Judged> {
  const found = await walletStore.find(tx, walletId);
  if (!found) throw badField('walletId', 'is not a wallet of the organisation');
  const { network } = found.wallet;
  if (to !== undefined && isKeyNetwork(network)) throw badField('to', `has no meaning on ${network}`);
  const recipients = to === undefined || isKeyNetwork(network) ? [] : [recipientOf(network, to)];
  const amountUsdMicro = valueUsd === undefined ? null : microOf(valueUsd);
  const subject = await subjectOf(tx, { walletId }, initiatorId);
  const policies = subject.isOwnKey ? [] : await policyStore.inForce(tx, 'Wallets:Sign');
  const needs = needsOf(applying(policies, subject));
  const { timeframes, registryAddressIds } = needs;
  const facts: Facts = {
    ...{ ...subject, initiatorId, recipients, amountUsdMicro, network },
    usage: await peekUsage(tx, { subject, amountUsdMicro, timeframes }),
    registryAddresses: await listedAddresses(tx, registryAddressIds, network),
  };
  return { facts, policies, needs };
}

async function ofChange(tx: Tx, { activityKind, permissionId, policyId }: Change, initiatorId: string): Promise<Judged> {
  await assertThere(tx, 'permissions', 'permissionId', permissionId);
  await assertThere(tx, 'policies', 'policyId', policyId);
  const facts: ChangeFacts = { initiatorId, permissionId: permissionId ?? null, policyId: policyId ?? null };
  const policies = await policyStore.inForce(tx, activityKind);
  return { facts, policies, needs: needsOf([]) };
}

async function assertThere(tx: Tx, table: 'permissions' | 'policies', field: string, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  if (!(await knownIds(tx, table, [id])).has(id)) throw badField(field, 'does not exist in the organisation');
}

function recipientOf(network: Parameters<typeof codecOf>[0], to: string): string {
  try {
    return codecOf(network).parseAddress(to);
  } catch (error) {
    if (error instanceof AppError) throw badField('to', error.message);
    throw error;
  }
}

const DECIMALS = 6;

function microOf(valueUsd: string): string {
  const [whole = '0', fraction = ''] = valueUsd.split('.');
  return (BigInt(whole) * MICRO_PER_UNIT + BigInt(fraction.padEnd(DECIMALS, '0'))).toString();
}

/** The outcome if every vendor replies and finds nothing. */
function unobjected(policies: readonly Policy[], facts: Facts): Outcome {
  const nothing = { kind: 'Screened', alerts: [], directExposures: [], addresses: [] } as const;
  return evaluate(policies, {
    ...facts,
    screenings: [
      { vendor: 'KytA', result: nothing },
      { vendor: 'KytB', result: { kind: 'Screened', riskScore: 0 } },
    ],
    travelRule: { kind: 'Ended', state: 'Accepted' },
  }).outcome;
}

const named = (evaluations: readonly Evaluation[], policies: readonly Policy[]) =>
  evaluations.map(({ policyId, triggered, reason }) => ({
    policyId,
    policyName: policies.find(({ id }) => id === policyId)?.name ?? '',
    triggered,
    reason,
  }));

async function groupsOf(tx: Tx, verdict: Verdict, initiatorId: string) {
  const groups = await votersNow(tx, verdict.groups, initiatorId);
  const ids = [...new Set(groups.flatMap(({ voterIds, denierIds }) => [...voterIds, ...denierIds]))];
  const users = ids.length === 0 ? [] : await tx.rows(UserEntity, 'WHERE t.id = ANY($1)', [ids]);
  const nameOf = new Map(users.map(({ id, name }) => [id, name]));
  const people = (userIds: readonly string[]) => userIds.map((userId) => ({ userId, name: nameOf.get(userId) ?? '' }));
  return groups.map(({ policyId, name, quorum, voterIds, denierIds }) => ({
    policyId,
    name,
    quorum,
    canApprove: people(voterIds),
    canOnlyDeny: people(denierIds),
  }));
}
