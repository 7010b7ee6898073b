import { changeSettings } from '../../../../application/organizations/settings';
import { OrganizationEntity } from '../../../../entities/organizations/organization.entity';
import { PolicyEntity } from '../../../../entities/policies/policy.entity';
import { UserEntity } from '../../../../entities/users/user.entity';
import { WalletEntity } from '../../../../entities/wallets/wallet.entity';
import { newId } from '../../../../platform/ids';
import { insertWallet } from '../../../support/held-activity';
import { errorId, firstIssue, type PolicyApi, policyBody, startPolicyApi } from '../../../support/policy-api';
import { REFUSED_POLICIES, SOUND_POLICIES } from '../../../support/refused-policies';

let parts: PolicyApi;
beforeAll(async () => {
  parts = await startPolicyApi();
});
afterAll(() => parts?.close());

const create = (body: unknown, by = parts.admin) => by.client.change('POST', '/v2/policies', body);
const reader = () => parts.api.database.db.read(parts.orgId);
const epoch = async () => (await reader().row(OrganizationEntity, 'WHERE t.id = $1', [parts.orgId]))?.policyEpoch ?? 0;
const policies = async () => (await reader().rows(PolicyEntity, '')).length;
const groups = (...approvalGroups: unknown[]) => ({ kind: 'RequestApproval', approvalGroups });

test('200: a policy takes effect exactly as it was sent, and raises the policy epoch', async () => {
  const before = await epoch();
  const sent = policyBody({
    action: {
      ...groups({
        quorum: 2,
        approvers: { userId: { in: [parts.admin.userId, parts.approver.userId] } },
        initiatorCanApprove: true,
        serviceAccountsCanApprove: false,
      }),
      autoRejectTimeout: 60,
    },
    filters: { walletId: { in: [parts.walletId] }, walletTags: { hasAny: ['cold'], hasAll: ['eu', 'us'] } },
  });
  const { status, body } = await create(sent);
  expect(status).toBe(200);
  expect(body).toEqual({
    ...sent,
    id: expect.stringMatching(/^plc-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/),
    status: 'Active',
    dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    dateUpdated: expect.any(String),
  });
  expect(await epoch()).toBe(before + 1);
});

test.each<readonly [string, Record<string, unknown>]>([
  ['AlwaysTrigger without configuration', { rule: { kind: 'AlwaysTrigger' } }],
  ['an amount limit', { rule: { kind: 'TransactionAmountLimit', configuration: { limit: 1, currency: 'USD' } } }],
  ['an empty whitelist', { rule: { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [] } } }],
  ['a block', { action: { kind: 'Block' } }],
  ['a time-out of null', { action: { ...groups({ quorum: 1, approvers: {} }), autoRejectTimeout: null } }],
  ['empty filters', { filters: {} }],
  ...SOUND_POLICIES,
])('200: %s is returned as it was sent', async (_title, set) => {
  const sent = policyBody(set);
  expect(await create(sent)).toMatchObject({ status: 200, body: sent });
});

test('200: the answer warns of a quorum that the listed people cannot reach, even if a person is listed twice', async () => {
  const { approver, admin } = parts;
  const group = (quorum: number, ...people: readonly { readonly userId: string }[]) =>
    policyBody({ action: groups({ quorum, approvers: { userId: { in: people.map(({ userId }) => userId) } } }) });
  for (const body of [group(3, approver, admin), group(2, approver, approver)]) {
    const warned = await create(body);
    expect(warned.status).toBe(200);
    expect(warned.headers.get('strongroom-warning')).toMatch(
      /^Unreachable: plc-\S+ group 1 cannot reach its quorum of \d for any initiator$/,
    );
  }
});

test('200: the path without /v2 is the same operation', async () => {
  expect((await parts.admin.client.change('POST', '/policies', policyBody())).status).toBe(200);
});

test.each<readonly [string, Record<string, unknown>, string]>([
  ['no name', { name: undefined }, 'body.name'],
  ['an empty name', { name: '' }, 'body.name'],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, 'body.name'],
  ['a name that is not a text', { name: 7 }, 'body.name'],
  ['an unknown member', { status: 'Active' }, 'body.status'],
  ['an unknown activity', { activityKind: 'Wallets:Look' }, 'body.activityKind'],
  ['no rule', { rule: undefined }, 'body.rule'],
  ['an unknown rule', { rule: { kind: 'TransactionGasLimit', configuration: {} } }, 'body.rule.kind'],
  [
    'a member in the configuration of AlwaysTrigger',
    { rule: { kind: 'AlwaysTrigger', configuration: { a: 1 } } },
    'body.rule.configuration.a',
  ],
  [
    'a limit of zero',
    { rule: { kind: 'TransactionAmountLimit', configuration: { limit: 0, currency: 'USD' } } },
    'body.rule.configuration.limit',
  ],
  [
    'a negative limit',
    { rule: { kind: 'TransactionAmountLimit', configuration: { limit: -1, currency: 'USD' } } },
    'body.rule.configuration.limit',
  ],
  [
    'a limit of half a dollar',
    { rule: { kind: 'TransactionAmountLimit', configuration: { limit: 0.5, currency: 'USD' } } },
    'body.rule.configuration.limit',
  ],
  [
    'a limit as text',
    { rule: { kind: 'TransactionAmountLimit', configuration: { limit: '5', currency: 'USD' } } },
    'body.rule.configuration.limit',
  ],
  [
    'a limit beyond exact numbers',
    { rule: { kind: 'TransactionAmountLimit', configuration: { limit: 1e300, currency: 'USD' } } },
    'body.rule.configuration.limit',
  ],
  [
    'an unsupported currency',
    { rule: { kind: 'TransactionAmountLimit', configuration: { limit: 5, currency: 'EUR' } } },
    'body.rule.configuration.currency',
  ],
  [
    'an empty address in a list',
    { rule: { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [''] } } },
    'body.rule.configuration.addresses.0',
  ],
  ['an unknown action', { action: { kind: 'Shout' } }, 'body.action.kind'],
  ['no groups', { action: groups() }, 'body.action.approvalGroups'],
  [
    '101 groups',
    { action: groups(...Array.from({ length: 101 }, () => ({ quorum: 1, approvers: {} }))) },
    'body.action.approvalGroups',
  ],
  ['a quorum of zero', { action: groups({ quorum: 0, approvers: {} }) }, 'body.action.approvalGroups.0.quorum'],
  ['a quorum of 101', { action: groups({ quorum: 101, approvers: {} }) }, 'body.action.approvalGroups.0.quorum'],
  ['no approvers', { action: groups({ quorum: 1 }) }, 'body.action.approvalGroups.0.approvers'],
  [
    'an empty list of approvers',
    { action: groups({ quorum: 1, approvers: { userId: { in: [] } } }) },
    'body.action.approvalGroups.0.approvers.userId.in',
  ],
  [
    'a text in place of the boolean serviceAccountsCanApprove',
    { action: groups({ quorum: 1, approvers: {}, serviceAccountsCanApprove: 'true' }) },
    'body.action.approvalGroups.0.serviceAccountsCanApprove',
  ],
  [
    'a time-out of zero',
    { action: { ...groups({ quorum: 1, approvers: {} }), autoRejectTimeout: 0 } },
    'body.action.autoRejectTimeout',
  ],
  [
    'a time-out of half a minute',
    { action: { ...groups({ quorum: 1, approvers: {} }), autoRejectTimeout: 0.5 } },
    'body.action.autoRejectTimeout',
  ],
  ['a filter that this release does not support', { filters: { policyId: { in: ['plc-1'] } } }, 'body.filters.policyId'],
  ['an empty filter list', { filters: { walletTags: { hasAny: [] } } }, 'body.filters.walletTags.hasAny'],
  ['filters of null', { filters: null }, 'body.filters'],
  ...REFUSED_POLICIES,
])('400: for %s, the error contains the path, and no row is stored', async (_title, set, path) => {
  const [rows, before] = [await policies(), await epoch()];
  const { status, body } = await create(policyBody(set));
  expect(status).toBe(400);
  expect(firstIssue(body)).toBe(path);
  expect([await policies(), await epoch()]).toEqual([rows, before]);
});

test('400: an approver is unknown, deactivated, an end user, a service account or from another organisation', async () => {
  const { createPerson, database } = parts.api;
  const left = await createPerson(parts.orgId);
  await database.db.withOrg(parts.orgId, (tx) => tx.update(UserEntity, { id: left.userId }, { isActive: false }));
  const nobodies = [
    newId('user'),
    (await parts.stranger()).userId,
    left.userId,
    (await createPerson(parts.orgId, { kind: 'EndUser' })).userId,
    (await createPerson(parts.orgId, { isServiceAccount: true })).userId,
  ];
  for (const nobody of nobodies) {
    const action = groups(
      { quorum: 1, approvers: {} },
      { quorum: 1, approvers: { userId: { in: [parts.approver.userId, nobody] } } },
    );
    const { status, body } = await create(policyBody({ action }));
    expect(status).toBe(400);
    expect(firstIssue(body)).toBe('body.action.approvalGroups.1.approvers.userId.in.1');
  }
});

test('400: a listed program may not vote, because the operator or the group forbids it; program and creator are one voter', async () => {
  const { createPerson, createOrganization, database } = parts.api;
  const orgId = await createOrganization();
  const [admin, program] = [await createPerson(orgId), await createPerson(orgId, { isServiceAccount: true })];
  await database.db.withOrg(orgId, (tx) => tx.update(UserEntity, { id: program.userId }, { createdBy: admin.userId }));
  const naming = (quorum: number, serviceAccountsCanApprove: boolean) => {
    const approvers = { userId: { in: [admin.userId, program.userId] } };
    return create(policyBody({ action: groups({ quorum, approvers, serviceAccountsCanApprove }) }), admin);
  };
  const refused = async (answer: Promise<{ status: number; body: unknown }>, path: string) => {
    const { status, body } = await answer;
    expect([status, firstIssue(body)]).toEqual([400, path]);
  };
  const second = 'body.action.approvalGroups.0.approvers.userId.in.1';
  await refused(naming(1, true), second);
  await database.db.withOrg(orgId, (tx) => changeSettings(tx, { serviceAccountsMayVote: true }));
  await refused(naming(1, false), second);
  const tooMany = await naming(2, true);
  expect([tooMany.status, tooMany.headers.get('strongroom-warning')]).toEqual([
    200,
    expect.stringContaining('for any initiator'),
  ]);
  expect((await naming(1, true)).status).toBe(200);
});

test('400: a wallet belongs to another organisation; an archived wallet of the same organisation is accepted', async () => {
  const filtering = (walletId: string) => policyBody({ filters: { walletId: { in: [parts.walletId, walletId] } } });
  const { database, createOrganization } = parts.api;
  const theirs = await insertWallet(database.db, await createOrganization());
  const { status, body } = await create(filtering(theirs));
  expect([status, firstIssue(body)]).toEqual([400, 'body.filters.walletId.in.1']);
  const ours = await insertWallet(database.db, parts.orgId);
  await database.db.withOrg(parts.orgId, (tx) => tx.update(WalletEntity, { id: ours }, { status: 'Archived' }));
  expect((await create(filtering(ours))).status).toBe(200);
});

test('400: an approver listed in an escalation cannot decide; one who can decide is included in the quorum', async () => {
  const naming = (quorum: number, ...escalated: readonly string[]) =>
    policyBody({
      action: groups({
        quorum,
        approvers: { userId: { in: [parts.admin.userId] } },
        escalation: { afterMinutes: 5, approvers: { userId: { in: escalated } } },
      }),
    });
  const refused = await create(naming(1, parts.approver.userId, (await parts.stranger()).userId));
  expect(firstIssue(refused.body)).toBe('body.action.approvalGroups.0.escalation.approvers.userId.in.1');
  const warningOf = async (quorum: number) =>
    (await create(naming(quorum, parts.approver.userId))).headers.get('strongroom-warning');
  expect(await warningOf(3)).toContain('for any initiator');
  expect(await warningOf(2)).toContain('when asked by');
  expect(await warningOf(1)).toBeNull();
});

test('401: without a token', async () => {
  const response = await fetch(`${parts.api.url}/v2/policies`, {
    method: 'POST',
    body: JSON.stringify(policyBody()),
    headers: { 'content-type': 'application/json' },
  });
  expect(response.status).toBe(401);
});

test('403: without the permission, for an end user, and without a user action', async () => {
  const reads = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Read'] });
  const endUser = await parts.api.createPerson(parts.orgId, { kind: 'EndUser' });
  expect((await create(policyBody(), reads)).status).toBe(403);
  expect((await create(policyBody(), endUser)).status).toBe(403);
  const bare = await parts.admin.client.post('/v2/policies', policyBody());
  expect(bare.status).toBe(403);
  expect(errorId(bare.body)).toBe('UserActionInvalid');
});

describe('policies for changes of permissions and policies', () => {
  const permission = async (by = parts.admin): Promise<string> => {
    const sent = { name: `Permission ${newId('permission')}`, operations: ['Keys:Read'] };
    return ((await by.client.change('POST', '/permissions', sent)).body as { id: string }).id;
  };
  const policy = async (): Promise<string> => ((await create(policyBody())).body as { id: string }).id;

  test('200: each kind is returned as it was sent, with its own filters', async () => {
    const permissionId = { in: [await permission()] };
    const policyId = { in: [await policy()] };
    for (const sent of [
      policyBody({ activityKind: 'Permissions:Modify', filters: { permissionId } }),
      policyBody({ activityKind: 'Permissions:Assign', filters: { permissionId }, action: { kind: 'Block' } }),
      policyBody({ activityKind: 'Permissions:Assign' }),
      policyBody({ activityKind: 'Policies:Modify', filters: { policyId } }),
    ])
      expect(await create(sent)).toMatchObject({ status: 200, body: sent });
  });

  test.each<[string, Record<string, unknown>, string]>([
    [
      'a rule about amounts',
      { rule: { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [] } } },
      'body.rule.kind',
    ],
    ['a filter for wallets', { filters: { walletId: { in: ['wa-1'] } } }, 'body.filters.permissionId'],
    ['an empty filter', { filters: {} }, 'body.filters.permissionId'],
    ['an empty list', { filters: { permissionId: { in: [] } } }, 'body.filters.permissionId.in'],
    ['an unknown permission', { filters: { permissionId: { in: [newId('permission')] } } }, 'body.filters.permissionId.in.0'],
    ['a block of every change of policies', { activityKind: 'Policies:Modify', action: { kind: 'Block' } }, 'body.action.kind'],
    [
      'an unknown policy',
      { activityKind: 'Policies:Modify', filters: { policyId: { in: [newId('policy')] } } },
      'body.filters.policyId.in.0',
    ],
  ])('400: %s is refused', async (_title, set, path) => {
    const { status, body } = await create(policyBody({ activityKind: 'Permissions:Modify', ...set }));
    expect([status, firstIssue(body)]).toEqual([400, path]);
  });

  test('400: the permission belongs to another organisation', async () => {
    const theirs = await permission(await parts.stranger());
    const sent = policyBody({ activityKind: 'Permissions:Assign', filters: { permissionId: { in: [theirs] } } });
    expect(firstIssue((await create(sent)).body)).toBe('body.filters.permissionId.in.0');
  });
});
