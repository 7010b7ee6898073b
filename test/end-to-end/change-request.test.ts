import type { StoppableService } from '../support/service';
import { joinService } from '../support/shared-service';
import { ok } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(300_000);

let service: StoppableService;
beforeAll(async () => {
  service = await joinService();
});
afterAll(() => service?.close());

type Permission = { readonly id: string; readonly name: string; readonly pendingChangeRequest?: { readonly approvalId: string } };

const policy = (activityKind: string, permissionId: string, approver: string) => ({
  name: `Ask before ${activityKind}`,
  activityKind,
  rule: { kind: 'AlwaysTrigger' },
  action: { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: { userId: { in: [approver] } } }] },
  filters: { permissionId: { in: [permissionId] } },
});

test('a change of a permission still waits after a restart of all processes, and is applied when the second user approves', async () => {
  const path = '/permissions';
  const operations = ['Wallets:Read'];
  const made = ok(await service.client('admin').change('POST', path, { name: 'Before', operations })) as Permission;
  const at = `${path}/${made.id}`;
  const shown = async () => (await service.client('admin').get(at)).body as Permission;
  const asked = policy('Permissions:Modify', made.id, service.userId('approver'));
  ok(await service.client('admin').change('POST', '/v2/policies', asked));
  const held = await service.client('admin').change('PUT', at, { name: 'After' });
  expect(held).toMatchObject({ status: 202, body: { kind: 'Permission', status: 'Pending', body: { name: 'After' } } });

  await service.stop();
  await service.start();
  const waiting = await shown();
  expect(waiting).toMatchObject({ name: 'Before', pendingChangeRequest: held.body });
  const approvalId = waiting.pendingChangeRequest?.approvalId;
  ok(await service.client('approver').change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value: 'Approved' }));
  await waitUntil('the change to be applied', async () => (await shown()).name === 'After', 60_000);
  expect(await shown()).not.toHaveProperty('pendingChangeRequest');
});

test('a denied assignment does not give the permission, and an approved assignment takes effect', async () => {
  const admin = service.client('admin');
  const made = ok(await admin.change('POST', '/permissions', { name: 'Given', operations: ['Wallets:Read'] })) as Permission;
  ok(await admin.change('POST', '/v2/policies', policy('Permissions:Assign', made.id, service.userId('approver'))));
  const path = `/permissions/${made.id}/assignments`;
  const ask = async () =>
    (await admin.change('POST', path, { identityId: service.userId('approver') })).body as { readonly approvalId?: string };
  const decide = async (approvalId: string | undefined, value: string) =>
    ok(await service.client('approver').change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value }));
  const holders = async () => ((await admin.get(path)).body as { readonly items: readonly unknown[] }).items.length;

  await decide((await ask()).approvalId, 'Denied');
  // A second request is refused until the first has ended.
  const second = await waitUntil('the denied request to end', async () => (await ask()).approvalId, 60_000);
  expect(await holders()).toBe(0);
  await decide(second, 'Approved');
  await waitUntil('the permission to be given', async () => (await holders()) === 1, 60_000);
});
