import type { Client } from '../support/client';
import { mailTo } from '../support/mailbox';
import type { JoinedService } from '../support/service';
import { joinService } from '../support/shared-service';
import { ended, fundedWallet, holdPolicy, ok, RECIPIENT, send, type TransferBody } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink';

jest.setTimeout(400_000);

let service: JoinedService;
let sink: WebhookSink;
let admin: Client;
let approver: Client;
beforeAll(async () => {
  service = await joinService();
  sink = await startWebhookSink();
  admin = service.client('admin');
  approver = service.client('approver');
  ok(await admin.change('POST', '/webhooks', { url: sink.url, events: ['*'] }));
});
afterAll(async () => {
  await sink?.close();
  await service?.close();
});

const only = (name: 'admin' | 'approver') => ({ userId: { in: [service.userId(name)] } });
const ask = (groups: readonly unknown[], more: Record<string, unknown> = {}) => ({
  kind: 'RequestApproval',
  approvalGroups: groups,
  ...more,
});
const policy = async (activityKind: string, action: unknown, filters: unknown) => {
  const body = { name: `Before ${activityKind}`, activityKind, rule: { kind: 'AlwaysTrigger' }, action, filters };
  return ok(await admin.change('POST', '/v2/policies', body)) as { readonly id: string };
};
const ofWallet = (walletId: string) => ({ walletId: { in: [walletId] } });
const decide = (by: Client, approvalId: string | undefined, value: string) =>
  by.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value });
const approval = async (id: string | undefined) =>
  ok(await admin.get(`/v2/policy-approvals/${id}`)) as { readonly status: string; readonly decisions: readonly unknown[] };

/** The outcomes that webhooks have reported for this activity so far. */
const resolutions = (activityId: string) =>
  sink.deliveries
    .filter(({ envelope, raw }) => envelope.kind === 'policy.activity.resolved' && raw.includes(activityId))
    .map(({ raw }) => (JSON.parse(raw) as { readonly data: { readonly status: string } }).data.status);
const resolved = (activityId: string, status: string) =>
  waitUntil(`the event of ${activityId}`, () => resolutions(activityId).includes(status), 60_000);

test('both groups must agree; the initiator votes only in a group that allows it; every vote stays visible', async () => {
  const wallet = await fundedWallet(service, admin);
  const groups = [
    { name: 'Finance', quorum: 1, approvers: only('approver') },
    { name: 'Desk', quorum: 1, approvers: only('admin'), initiatorCanApprove: true },
  ];
  await policy('Wallets:Sign', ask(groups), ofWallet(wallet.id));
  const held = await send(admin, wallet.id);
  expect(ok(await decide(admin, held.approvalId, 'Approved'))).toMatchObject({ status: 'Pending' });
  expect((await decide(admin, held.approvalId, 'Approved')).status).toBe(409);
  expect(ok(await decide(approver, held.approvalId, 'Approved'))).toMatchObject({ status: 'Approved' });
  expect((await ended(admin, wallet.id, held.id)).status).toBe('Confirmed');
  expect((await approval(held.approvalId)).decisions).toHaveLength(2);
  await resolved(held.id, 'Cleared');
  expect(resolutions(held.id)).toEqual(['Cleared']);
});

test('the initiator may not approve but may deny, and webhooks report only once that the activity is blocked', async () => {
  const wallet = await fundedWallet(service, admin);
  await holdPolicy(admin, wallet.id, {});
  const held = await send(admin, wallet.id);
  expect((await decide(admin, held.approvalId, 'Approved')).status).toBe(403);
  expect(ok(await decide(admin, held.approvalId, 'Denied'))).toMatchObject({ status: 'Denied' });
  expect(await ended(admin, wallet.id, held.id)).toMatchObject({ status: 'Rejected', reason: 'Denied by an approver' });
  await resolved(held.id, 'Blocked');
  expect(resolutions(held.id)).toEqual(['Blocked']);
});

test('one signature decides about a transfer, a transaction, a signature request, a permission and a policy at once', async () => {
  const wallet = await fundedWallet(service, admin);
  const { signingKey } = ok(await admin.get(`/wallets/${wallet.id}`)) as { readonly signingKey: { readonly id: string } };
  const permission = ok(await admin.change('POST', '/permissions', { name: 'Before', operations: ['Wallets:Read'] })) as {
    readonly id: string;
  };
  const other = await fundedWallet(service, admin);
  const { id: policyId } = await policy('Wallets:Sign', { kind: 'Block' }, ofWallet(other.id));
  const asking = ask([{ quorum: 1, approvers: only('approver') }]);
  await policy('Wallets:Sign', asking, ofWallet(wallet.id));
  await policy('Permissions:Modify', asking, { permissionId: { in: [permission.id] } });
  await policy('Policies:Modify', asking, { policyId: { in: [policyId] } });

  const transfer = await send(admin, wallet.id);
  const transaction = ok(
    await admin.change('POST', `/wallets/${wallet.id}/transactions`, {
      kind: 'Evm',
      to: RECIPIENT,
      value: '7',
    }),
  ) as TransferBody;
  const signature = ok(
    await admin.change('POST', `/keys/${signingKey.id}/signatures`, { kind: 'Message', message: '0x48656c6c6f' }),
  ) as TransferBody;
  const change = await admin.change('PUT', `/permissions/${permission.id}`, { name: 'After' });
  const archive = await admin.change('DELETE', `/v2/policies/${policyId}`);
  expect([change.status, archive.status]).toEqual([202, 202]);

  const approvalIds = [transfer, transaction, signature, change.body, archive.body].map(
    (one) => (one as { readonly approvalId?: string }).approvalId,
  );
  const decisions = approvalIds.map((approvalId) => ({ approvalId, value: 'Approved' }));
  const all = ok(await approver.change('POST', '/v2/policy-approvals/decisions', { decisions })) as {
    readonly items: readonly { readonly approval?: { readonly status: string } }[];
  };
  expect(all.items.map((item) => item.approval?.status)).toEqual(Array.from({ length: 5 }, () => 'Approved'));

  expect((await ended(admin, wallet.id, transfer.id)).status).toBe('Confirmed');
  const stateAt = async (path: string) => (ok(await admin.get(path)) as { readonly status: string }).status;
  await waitUntil(
    'the transaction to confirm',
    async () => (await stateAt(`/wallets/${wallet.id}/transactions/${transaction.id}`)) === 'Confirmed',
    90_000,
  );
  await waitUntil(
    'the message to be signed',
    async () => (await stateAt(`/keys/${signingKey.id}/signatures/${signature.id}`)) === 'Signed',
    60_000,
  );
  const shown = async () => ok(await admin.get(`/permissions/${permission.id}`)) as { readonly name: string };
  await waitUntil('the permission to change', async () => (await shown()).name === 'After', 60_000);
  await waitUntil('the policy to be archived', async () => (await stateAt(`/v2/policies/${policyId}`)) === 'Archived', 60_000);
  for (const { id } of [transfer, transaction, signature, change.body as TransferBody, archive.body as TransferBody]) {
    await resolved(id, 'Cleared');
  }
});

test('after a minute without consensus one activity is rejected, and another one is escalated to people who are notified by mail', async () => {
  const [late, open] = [await fundedWallet(service, admin), await fundedWallet(service, admin)];
  await holdPolicy(admin, late.id, { approvers: only('approver') }, 1);
  const escalation = { afterMinutes: 1, approvers: only('approver') };
  await holdPolicy(admin, open.id, { approvers: only('admin'), escalation });
  const [expiring, escalated] = [await send(admin, late.id), await send(admin, open.id)];
  const early = await decide(approver, escalated.approvalId, 'Approved');
  expect([early.status, early.body]).toMatchObject([403, { error: { message: expect.stringContaining('before 20') } }]);

  expect(await ended(admin, late.id, expiring.id)).toMatchObject({ status: 'Rejected', reason: 'The approval expired' });
  expect(await approval(expiring.approvalId)).toMatchObject({ status: 'Expired' });
  expect((await decide(approver, expiring.approvalId, 'Approved')).status).toBe(409);

  const address = 'approver@strongroom.local';
  expect(await mailTo(service, address, /transfer waits for your approval/)).toContain('approval');
  expect(await mailTo(service, address, /now waits for your approval/)).toContain(escalated.approvalId);
  await waitUntil(
    'the vote of the approver to whom the activity escalated',
    async () => (await decide(approver, escalated.approvalId, 'Approved')).status === 200,
    90_000,
  );
  expect((await ended(admin, open.id, escalated.id)).status).toBe('Confirmed');
});
