import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { ACTIVITY_KINDS } from '../../domain/policies';
import type { Answer } from '../support/client';
import { createRecipient } from '../support/keys';
import { ok } from '../support/story';
import type { Scene } from './database-role';
import { asking, type Office } from './installation';
import type { Asked } from './ledger';

/** The outcome of an attempt: the request waits for approval, or the refusal contains a matching text. No attempt succeeds. */
type Outcome = 'Held' | RegExp;
type Around = {
  readonly office: Office;
  readonly wallet: { readonly id: string; readonly address: string; readonly keyId: string };
  readonly policyIds: Readonly<Record<string, string>>;
  readonly permissionIds: Readonly<Record<string, string>>;
  readonly freezeId: string;
  readonly held: Asked;
  readonly thief: string;
};
type Attempt = {
  readonly title: string;
  readonly outcome: Outcome;
  readonly call: (at: Around) => Promise<Answer>;
};

const change = (
  title: string,
  outcome: Outcome,
  method: 'POST' | 'PUT' | 'DELETE',
  path: (at: Around) => string,
  body?: (at: Around) => unknown,
): Attempt => ({ title, outcome, call: (at) => at.office.ada.client.change(method, path(at), body?.(at)) });

const signature = (title: string, outcome: Outcome, body: (at: Around) => unknown) =>
  change(title, outcome, 'POST', ({ wallet }) => `/keys/${wallet.keyId}/signatures`, body);
const publicKey = () => generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }).toString();

const TYPED = {
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], Pay: [{ name: 'to', type: 'address' }] },
  domain: { name: 'x' },
};

const kinds = ACTIVITY_KINDS.filter((kind) => kind !== 'Wallets:IncomingTransaction');
const SOFTER = {
  ...{ grantBeyondOwnRights: true, keyExport: true, keyExportWaitHours: 0, voterCoolingHours: 0, recoveryWaitHours: 0 },
  sso: { provider: { issuer: 'https://idp.example', clientId: 'c', clientSecret: 's', emailDomains: ['sierra.example'] } },
};

const ATTEMPTS: readonly Attempt[] = [
  change(
    'replace the approvers of a policy with oneself and one other user',
    'Held',
    'PUT',
    ({ policyIds }) => `/v2/policies/${policyIds['Wallets:Sign']}`,
    ({ office: { ada, ben } }) => asking('Wallets:Sign', { ben: ada, cyd: ben }),
  ),
  ...kinds
    .filter((kind) => kind !== 'Wallets:Sign')
    .map((kind) =>
      change(`archive the policy on ${kind}`, 'Held', 'DELETE', ({ policyIds }) => `/v2/policies/${policyIds[kind]}`),
    ),
  ...(['Approver', 'ManagedFullAdminAccess'] as const).map((name) =>
    change(
      `give ${name} to another user`,
      'Held',
      'POST',
      ({ permissionIds }) => `/permissions/${permissionIds[name]}/assignments`,
      ({ office }) => ({ identityId: (name === 'Approver' ? office.ada : office.ben).userId }),
    ),
  ),
  change(
    'widen the permission of end users',
    'Held',
    'PUT',
    ({ permissionIds }) => `/permissions/${permissionIds['ManagedDefaultEndUserAccess']}`,
    () => ({ operations: ['Keys:Export', 'Policies:Update'] }),
  ),
  change(
    'archive an approver',
    /active policies name this approver/,
    'DELETE',
    ({ office }) => `/auth/users/${office.ben.userId}`,
  ),
  change(
    'invite an approver again',
    /already exists/,
    'POST',
    () => '/auth/users',
    ({ office }) => ({
      ...{ email: office.ben.username, kind: 'CustomerEmployee' },
    }),
  ),
  change(
    'sign in as an approver',
    /not authorized/,
    'POST',
    () => '/auth/login/delegated',
    ({ office }) => ({
      username: office.ben.username,
    }),
  ),
  change(
    'recover an approver',
    /not authorized/,
    'POST',
    () => '/auth/recover/user/delegated',
    ({ office }) => ({
      ...{ username: office.ben.username, credentialId: office.ben.key.credId },
    }),
  ),
  change(
    'weaken the security settings',
    'Held',
    'PUT',
    () => '/organizations/settings',
    () => SOFTER,
  ),
  change(
    'let service accounts vote',
    /unknown field/,
    'PUT',
    () => '/organizations/settings',
    () => ({ serviceAccountsMayVote: true }),
  ),
  {
    title: 'export the key',
    outcome: /SIGNER_EXPORT/,
    call: async ({ office, wallet }) => {
      const { encryptionKey } = await createRecipient();
      const body = { encryptionKey, supportedSchemes: [] };
      return office.ada.client.change('POST', `/keys/${wallet.keyId}/export`, body);
    },
  },
  change(
    'delegate the key',
    /delayDelegation/,
    'POST',
    ({ wallet }) => `/keys/${wallet.keyId}/delegate`,
    ({ office }) => ({
      delegateTo: office.ben.userId,
    }),
  ),
  ...['https://127.0.0.1/hook', 'http://receiver.example/hook'].map((url) =>
    change(
      `have events sent to ${url}`,
      /the webhook address is refused/,
      'POST',
      () => '/webhooks',
      () => ({ url, events: ['*'] }),
    ),
  ),
  change('release a freeze', 'Held', 'DELETE', ({ freezeId }) => `/freezes/${freezeId}`),
  signature('sign a hash that is a transfer', /SIGNER_HASH/, () => ({
    kind: 'Hash',
    hash: `0x${randomBytes(32).toString('hex')}`,
  })),
  signature('sign typed data that is valid on every chain', /SIGNER_CHAINLESS_TYPED_DATA/, ({ thief }) => ({
    ...{ kind: 'Eip712', ...TYPED, message: { to: thief } },
  })),
  signature('sign a message', 'Held', () => ({ kind: 'Message', message: '0x48656c6c6f' })),
  signature('sign a transaction that pays', 'Held', ({ thief }) => ({
    ...{ kind: 'Transaction', network: 'EthereumSepolia', transaction: { to: thief, value: '0x3e8' } },
  })),
  change(
    'send a transaction that pays',
    'Held',
    'POST',
    ({ wallet }) => `/wallets/${wallet.id}/transactions`,
    ({ thief }) => ({
      ...{ kind: 'Evm', to: thief, value: '1000' },
    }),
  ),
  change(
    'pay',
    'Held',
    'POST',
    ({ wallet }) => `/wallets/${wallet.id}/transfers`,
    ({ thief }) => ({
      ...{ kind: 'Native', to: thief, amount: '1000' },
    }),
  ),
  change(
    'speed up a waiting transfer',
    /Only a request that is Broadcasted/,
    'POST',
    ({ held }) => `/wallets/${held.wallet.id}/transfers/${held.id}/speed-up`,
    () => ({}),
  ),
  change(
    'approve one’s own request',
    /not an approver/,
    'POST',
    ({ held }) => `/v2/policy-approvals/${held.approvalId}/decisions`,
    () => ({
      value: 'Approved',
    }),
  ),
];

/** An administrator with every permission and genuine keys, but only over HTTP. Two others must approve each relevant change. */
export function administrator({ installation, ledger }: Scene): void {
  let at: Around;
  beforeAll(async () => {
    const office = await installation().createOffice('sierra');
    const { client } = office.ada;
    const wallet = await office.wallet('free');
    const frozen = await office.wallet('free');
    const target = { kind: 'Wallet', id: frozen.id };
    const { id: freezeId } = ok(await client.change('POST', '/freezes', { target, reason: 'It looks wrong' })) as {
      readonly id: string;
    };
    const { items } = ok(await client.get('/permissions')) as { readonly items: readonly { id: string; name: string }[] };
    const policyIds: Record<string, string> = {};
    for (const kind of kinds) {
      policyIds[kind] = (ok(await client.change('POST', '/v2/policies', asking(kind, office))) as { id: string }).id;
    }
    const permissionIds = Object.fromEntries(items.map(({ id, name }) => [name, id]));
    at = { office, wallet, policyIds, permissionIds, freezeId, held: await ledger.ask(office.ada, wallet), thief: ledger.thief };
  });

  test.each(ATTEMPTS)('does not succeed: $title', async ({ outcome, call }) => {
    const { status, body } = await call(at);
    if (outcome === 'Held') expect([status, body]).toEqual([expect.any(Number), expect.objectContaining({ status: 'Pending' })]);
    else expect([status >= 400, JSON.stringify(body)]).toEqual([true, expect.stringMatching(outcome)]);
  });

  test('a new service account does not have permissions until people approve the assignment', async () => {
    const permissionId = at.permissionIds['ManagedFullAdminAccess'];
    const made = await at.office.ada.client.change('POST', '/auth/service-accounts', {
      name: 'robot',
      publicKey: publicKey(),
      permissionId,
    });
    expect(made).toMatchObject({ status: 200, body: { userInfo: { permissionAssignments: [] } } });
  });

  test('a user whom the administrator invites is not an approver', async () => {
    const body = { email: 'puppet@sierra.example', kind: 'CustomerEmployee' };
    const puppet = ok(await at.office.ada.client.change('POST', '/auth/users', body)) as { readonly userId: string };
    const { approvalId } = await ledger.ask(at.office.ada, at.wallet, ledger.thief);
    const { body: approval } = await at.office.ada.client.get(`/v2/policy-approvals/${approvalId}/evidence`);
    expect(JSON.stringify(approval)).toContain(at.office.ben.userId);
    expect(JSON.stringify(approval)).not.toContain(puppet.userId);
  });

  test('all attempts still wait, and a transfer that the two approve is paid', async () => {
    const { items } = ok(await at.office.ada.client.get('/v2/policy-approvals?limit=100')) as {
      readonly items: readonly { readonly status: string }[];
    };
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['Pending']));
    await ledger.approve(at.office, at.held);
  });

  test('an approver whom the administrator deactivates leaves the quorum unreached', async () => {
    const asked = await ledger.ask(at.office.ada, at.wallet, ledger.thief);
    expect(await at.office.ada.client.change('PUT', `/auth/users/${at.office.ben.userId}/deactivate`)).toMatchObject({
      status: 200,
    });
    ok(await at.office.decide(at.office.cyd, asked.approvalId));
    await expect(at.office.decide(at.office.ben, asked.approvalId)).rejects.toThrow('401');
    expect(ok(await at.office.ada.client.get(`/v2/policy-approvals/${asked.approvalId}`))).toMatchObject({ status: 'Pending' });
  });
}
