import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { ended, fundedWallet, ok, RECIPIENT, send } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { call } from './calls';

type Named = { readonly id: string };
type Page = { readonly items: readonly unknown[] };
type Group = { readonly isForEveryone: boolean; readonly initiators: readonly unknown[] };

const MINUTE_MS = 60_000;

/** The admin tries policies before they take effect: on a hypothetical activity, in shadow mode, and on recorded activities. */
export async function triedPoliciesStory(service: JoinedService, admin: Client): Promise<void> {
  const { id: walletId } = await fundedWallet(service, admin, { name: 'Operations' });
  const filters = { walletId: { in: [walletId] } };
  await addPolicy(admin, {
    name: 'Finance approves large amounts',
    rule: { kind: 'TransactionAmountLimit', configuration: { limit: 10_000, currency: 'USD' } },
    action: askFinance(1, [service.userId('approver')]),
    filters,
  });
  const velocity = {
    name: 'Two payments an hour',
    activityKind: 'Wallets:Sign',
    rule: { kind: 'TransactionCountVelocity', configuration: { limit: 2, timeframe: 60 } },
    action: { kind: 'Block' },
    filters,
  };
  const { id: policyId } = await addPolicy(admin, { ...velocity, mode: 'Shadow' });
  const activity = { activityKind: 'Wallets:Sign', walletId, to: RECIPIENT, valueUsd: '25000.00' };
  const { outcome } = await call<{ readonly outcome: string }>(admin, 'evaluatePolicies', { body: activity });
  if (outcome !== 'Held') throw new Error(`the large amount is ${outcome}`);
  const from = new Date(Date.now() - MINUTE_MS).toISOString();
  for (let index = 0; index < 3; index += 1) await ended(admin, walletId, (await send(admin, walletId)).id);
  const found = await call<Page>(admin, 'listShadowResults', { params: { policyId }, query: '?triggered=true&limit=20' });
  await replay(
    admin,
    { policy: velocity, from, to: new Date(Date.now() + MINUTE_MS).toISOString(), walletId },
    found.items.length,
  );
  await unreachable(service, admin, filters);
}

/** Runs a backtest, which must find as many activities as the shadow mode has found. */
async function replay(admin: Client, body: object, count: number): Promise<void> {
  const { id: backtestId } = await call<Named>(admin, 'createBacktest', { body });
  const params = { backtestId };
  await waitUntil('the backtest to finish', async () => {
    return (ok(await admin.get(`/v2/policies/backtests/${backtestId}`)) as { readonly status: string }).status === 'Done';
  });
  await call(admin, 'getBacktest', { params });
  const { items } = await call<Page>(admin, 'listBacktestResults', { params, query: '?limit=20' });
  if (items.length !== count || count !== 1) throw new Error(`the shadow found ${count}, the backtest ${items.length}`);
  await call(admin, 'exportBacktestResults', { params });
}

/** Two people are the approvers, and the quorum is two. If one of them initiates a payment, only one approver is left. */
async function unreachable(service: JoinedService, admin: Client, filters: object): Promise<void> {
  const both = [service.userId('admin'), service.userId('approver')];
  const rule = { kind: 'TransactionAmountLimit', configuration: { limit: 100_000, currency: 'USD' } };
  const { id: policyId } = await addPolicy(admin, { name: 'Two of Finance', rule, action: askFinance(2, both), filters });
  const { groups } = await call<{ readonly groups: readonly Group[] }>(admin, 'getPolicyReachability', { params: { policyId } });
  if (groups.every(({ initiators }) => initiators.length === 0)) throw new Error('the quorum can be reached');
}

const askFinance = (quorum: number, users: readonly string[]) => ({
  kind: 'RequestApproval',
  approvalGroups: [{ name: 'Finance', quorum, approvers: { userId: { in: users } } }],
});

const addPolicy = async (admin: Client, policy: object) =>
  ok(await admin.change('POST', '/v2/policies', { activityKind: 'Wallets:Sign', ...policy })) as Named;
