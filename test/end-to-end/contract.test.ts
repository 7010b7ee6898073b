import { generateKeyPairSync } from 'node:crypto';
import { operations } from '../../api/operations';
import { readCheckpoint, type SignedCheckpoint } from '../../platform/chain-checkpoint';
import { type AuditItem, type FeedItem, followAudit, followFeed } from '../../platform/hash-chain';
import { FAUCET } from '../chains/evm/anvil';
import { addressWatchStory } from '../contract/address-watch-story';
import { answered, call, recordExamples, refusal } from '../contract/calls';
import { exportStory, holdersStory, sentTransactionStory } from '../contract/chain-story';
import { faultsOfDelivery } from '../contract/documented';
import { ELSEWHERE } from '../contract/elsewhere';
import { feeSponsorStory } from '../contract/fee-sponsor-story';
import { freezeStory, integrationsStory, registryStory } from '../contract/guards-story';
import { equalPaymentsStory, heldStory, unsentStory } from '../contract/held-story';
import { keysStory } from '../contract/keys-story';
import { peopleStory } from '../contract/people-story';
import { readChain } from '../contract/read-chain';
import { replacementStory } from '../contract/replacement-story';
import { rightsStory } from '../contract/rights-story';
import { signaturesStory } from '../contract/signatures-story';
import { transactionStory } from '../contract/transaction-story';
import { triedPoliciesStory } from '../contract/tried-policies-story';
import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { joinService } from '../support/shared-service';
import { ended, fundedWallet, RECIPIENT } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink';

jest.setTimeout(240_000);

/** The number of event kinds that the stories always emit. Some further kinds depend on the order of blocks. */
const KINDS_MIN = 20;

/** The scheduled task that asks the signer to attest the feed runs once a minute. */
const CHECKPOINT_LIMIT_MS = 90_000;

type Page<T = Readonly<Record<string, unknown>>> = { readonly items: readonly T[]; readonly nextPageToken?: string };
type Named = { readonly id: string };
type Transfer = Named & { readonly status: string; readonly approvalId?: string };
type Event = Named & { readonly kind: string; readonly status: string; readonly nextAttemptDate?: string };

let service: JoinedService;
let sink: WebhookSink;
/** Receives every event of the stories below. */
let everything: WebhookSink;
let everythingId: string;
let admin: Client;
let approver: Client;
beforeAll(async () => {
  recordExamples();
  service = await joinService();
  [sink, everything] = await Promise.all([startWebhookSink(), startWebhookSink()]);
  admin = service.client('admin');
  const subscription = { url: everything.url, events: ['*'], status: 'Enabled' };
  everythingId = ((await admin.change('POST', '/webhooks', subscription)).body as Named).id;
  approver = service.client('approver');
});
afterAll(async () => {
  await Promise.all([sink?.close(), everything?.close()]);
  await service?.close();
});

const ids = ({ items }: Page) => items.map(({ id }) => id);

test('a challenge is signed, which returns a user action', async () => {
  const body = {
    userActionHttpMethod: 'POST',
    userActionHttpPath: '/wallets',
    userActionPayload: '{}',
    userActionServerKind: 'Api',
  };
  const { challenge, challengeIdentifier } = await call<{ challenge: string; challengeIdentifier: string }>(
    admin,
    'createUserActionChallenge',
    { body },
  );
  const firstFactor = admin.factor(challenge);
  await call(admin, 'createUserActionSignature', { body: { challengeIdentifier, firstFactor } });
  expect(await refusal(admin, 'createUserActionSignature', { body: { challengeIdentifier, firstFactor } })).toMatchObject({
    status: 400,
  });
});

test('users and credentials are listed and read', async () => {
  const { items, nextPageToken } = await call<Page>(admin, 'listUsers', { query: '?limit=1&kind=CustomerEmployee' });
  expect(items).toHaveLength(1);
  const rest = await call<Page>(admin, 'listUsers', { query: `?paginationToken=${nextPageToken}` });
  expect([...items, ...rest.items].map(({ userId }) => userId).sort()).toEqual(
    [service.userId('admin'), service.userId('approver')].sort(),
  );
  expect((await call<Page>(admin, 'listUsers', { query: '?kind=EndUser' })).items).toEqual([]);
  await call(admin, 'getUser', { params: { userId: service.userId('approver') } });
  expect((await call<Page>(admin, 'listCredentials')).items).toHaveLength(1);
});

test('service accounts and access tokens are created, changed, deactivated, activated and archived, and the audit log records each change', async () => {
  const publicKey = generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const startTime = new Date(Date.now() - 3_600_000).toISOString();
  const account = await call<{ userInfo: { userId: string } }>(admin, 'createServiceAccount', {
    body: { name: 'Payroll', publicKey, externalId: 'erp-1', daysValid: 30 },
  });
  const ofAccount = { params: { serviceAccountId: account.userInfo.userId } };
  expect((await call<Page>(admin, 'listServiceAccounts')).items).toHaveLength(1);
  await call(admin, 'updateServiceAccount', { ...ofAccount, body: { name: 'Salaries' } });
  await call(admin, 'deactivateServiceAccount', { ...ofAccount, body: { force: true } });
  await call(admin, 'activateServiceAccount', ofAccount);
  expect(await call(admin, 'getServiceAccount', ofAccount)).toMatchObject({ userInfo: { name: 'Salaries', isActive: true } });
  await call(admin, 'archiveServiceAccount', { ...ofAccount, query: '?force=true' });
  expect(await refusal(admin, 'getServiceAccount', ofAccount)).toMatchObject({ status: 404 });

  const token = await call<{ tokenId: string }>(admin, 'createPersonalAccessToken', {
    body: { name: 'Laptop', publicKey, externalId: 'asset-1', daysValid: 30, secondsValid: 3_600 },
  });
  const ofToken = { params: { tokenId: token.tokenId } };
  expect((await call<Page>(admin, 'listPersonalAccessTokens')).items).toHaveLength(1);
  const { items: applications } = await call<Page<{ readonly appId: string }>>(admin, 'listApplications');
  expect(await call(admin, 'getApplication', { params: { appId: applications[0]?.appId ?? '' } })).toEqual(applications[0]);
  await call(admin, 'updatePersonalAccessToken', { ...ofToken, body: { name: 'Old laptop', externalId: 'asset-2' } });
  await call(admin, 'deactivatePersonalAccessToken', ofToken);
  await call(admin, 'activatePersonalAccessToken', ofToken);
  expect(await call(admin, 'getPersonalAccessToken', ofToken)).toMatchObject({ name: 'Old laptop', isActive: true });
  await call(admin, 'archivePersonalAccessToken', ofToken);

  const query = `?${new URLSearchParams({ startTime, endTime: new Date().toISOString(), userId: service.userId('admin') })}`;
  const log = await call<string>(admin, 'listAuditLogs', { query });
  const [id = '', , action] = log.trimEnd().split('\n').at(-1)?.split(',') ?? [];
  expect(action).toBe('archivePersonalAccessToken');
  expect(await call(admin, 'getAuditLog', { params: { id } })).toMatchObject({ action });
});

test('a wallet is created, found by every filter, renamed, tagged, untagged, and shows its assets', async () => {
  const body = {
    network: 'EthereumSepolia',
    name: 'Petty cash',
    externalId: 'wallet-1',
    tags: ['cash'],
    metadata: { team: 'treasury' },
  };
  const { id } = await call<Named>(admin, 'createWallet', { body });
  const other = await call<Named>(admin, 'createWallet', { body: { network: 'EthereumSepolia' } });
  expect(await call(admin, 'createWallet', { body })).toMatchObject({ id });
  const list = async (query: string) => ids(await call<Page>(admin, 'listWallets', { query }));
  expect((await list('')).sort()).toEqual([id, other.id].sort());
  for (const filter of [
    'externalId=wallet-1',
    'tags=cash',
    'metadata=team:treasury',
    'network=EthereumSepolia&tags=cash',
    'status=Active&externalId=wallet-1',
  ]) {
    expect([filter, await list(`?${filter}`)]).toEqual([filter, [id]]);
  }
  for (const filter of [
    'externalId=wallet-2',
    'tags=none',
    'network=Bitcoin',
    'status=Archived',
    `ownerId=${service.userId('admin')}`,
  ]) {
    expect([filter, await list(`?${filter}`)]).toEqual([filter, []]);
  }
  for (const filter of [`owner=${service.userId('admin')}`, 'ownerUsername=nobody']) expect(await list(`?${filter}`)).toEqual([]);
  const first = await call<Page>(admin, 'listWallets', { query: '?limit=1' });
  const second = await call<Page>(admin, 'listWallets', { query: `?limit=1&paginationToken=${first.nextPageToken}` });
  expect([...ids(first), ...ids(second)].sort()).toEqual([id, other.id].sort());
  expect(second.nextPageToken).toBeUndefined();

  const params = { walletId: id };
  expect(await call(admin, 'updateWallet', { params, body: { name: null } })).not.toHaveProperty('name');
  await call(admin, 'tagWallet', { params, body: { tags: ['cold', 'eu/1'] } });
  await call(admin, 'untagWallet', { params, body: { tags: ['cash'] } });
  expect(await call(admin, 'getWallet', { params })).toMatchObject({ tags: ['cold', 'eu/1'], externalId: 'wallet-1' });
  await service.rpc('anvil_setBalance', [(await call<{ address: string }>(admin, 'getWallet', { params })).address, '0x7b']);
  expect(await call(admin, 'getWalletAssets', { params })).toMatchObject({ assets: [{ kind: 'Native', balance: '123' }] });
  expect(await call(admin, 'getWalletAttestation', { params })).toMatchObject({ walletId: params.walletId });
  expect(await call(admin, 'getFees', { query: '?network=EthereumSepolia' })).toMatchObject({ kind: 'Eip1559' });
});

test('an incoming payment is in the history of its wallet and in the history of all wallets, and the network is scanned', async () => {
  const wallet = await fundedWallet(service, admin);
  await service.rpc('eth_sendTransaction', [{ from: FAUCET, to: wallet.address, value: '0x2a' }]);
  const params = { walletId: wallet.id };
  const [item] = await waitUntil('the payment', async () => {
    const { items } = (await admin.get(`/wallets/${wallet.id}/history`)).body as { items: readonly object[] };
    return items.length > 0 && items;
  });
  expect(item).toMatchObject({ direction: 'In', value: '42' });
  await call(admin, 'getWalletHistory', { params });
  const period = `?startTime=2020-01-01T00:00:00Z&endTime=${new Date(Date.now() + 60_000).toISOString()}`;
  expect(JSON.stringify(await call(admin, 'listOrgWalletHistory', { query: period }))).toContain(wallet.id);
  expect(await call(admin, 'getWalletNfts', { params })).toMatchObject({ walletId: wallet.id, nfts: [] });
  expect(await call(admin, 'getNetworkScan', { params: { network: 'EthereumSepolia' } })).toMatchObject({ isRead: true });
});

test('a signed transaction that its holder sends is confirmed with its fee', () => sentTransactionStory(service, admin));

test('a policy is created, listed and changed; it holds a transfer until a vote, and is archived', async () => {
  const wallet = await fundedWallet(service, admin);
  const policy = {
    name: 'Large amounts',
    activityKind: 'Wallets:Sign',
    rule: { kind: 'TransactionAmountLimit', configuration: { limit: 1, currency: 'USD' } },
    action: {
      kind: 'RequestApproval',
      approvalGroups: [{ name: 'Finance', quorum: 1, approvers: { userId: { in: [service.userId('approver')] } } }],
      autoRejectTimeout: 60,
    },
    filters: { walletId: { in: [wallet.id] }, walletTags: {} },
  };
  const { id: policyId } = await call<Named>(admin, 'createPolicy', { body: policy });
  const params = { policyId };
  await call(admin, 'updatePolicy', { params, body: { ...policy, filters: { walletId: { in: [wallet.id] } } } });
  await call(admin, 'getPolicy', { params });
  expect(ids(await call<Page>(admin, 'listPolicies', { query: '?status=Active&limit=500' }))).toEqual([policyId]);

  const transferBody = {
    kind: 'Native',
    to: RECIPIENT,
    amount: '1000000000000000000',
    priority: 'Fast',
    externalId: 'invoice-1',
  };
  const request = { params: { walletId: wallet.id }, body: transferBody };
  const held = await call<Transfer>(admin, 'transferAsset', request);
  expect(held).toMatchObject({ status: 'Pending', approvalId: expect.stringMatching(/^ap-/), requestBody: transferBody });
  const approvalId = held.approvalId ?? '';
  const waiting = async (query: string) => ids(await call<Page>(admin, 'listApprovals', { query }));
  for (const filter of ['status=Pending', `initiatorId=${service.userId('admin')}`, `approverId=${service.userId('approver')}`]) {
    expect([filter, await waiting(`?${filter}`)]).toEqual([filter, [approvalId]]);
  }
  for (const filter of ['status=Denied', `initiatorId=${service.userId('approver')}`, `approverId=${service.userId('admin')}`]) {
    expect([filter, await waiting(`?${filter}`)]).toEqual([filter, []]);
  }
  await call(approver, 'createApprovalDecision', { params: { approvalId }, body: { value: 'Approved', reason: 'as agreed' } });
  expect(await call(admin, 'getApproval', { params: { approvalId } })).toMatchObject({
    status: 'Approved',
    activity: { kind: 'Wallets:Sign', transferRequest: { id: held.id } },
    decisions: [{ userId: service.userId('approver'), value: 'Approved', reason: 'as agreed' }],
  });
  expect(await ended(admin, wallet.id, held.id)).toMatchObject({ status: 'Confirmed' });
  await call(admin, 'getTransfer', { params: { walletId: wallet.id, transferId: held.id } });
  expect(ids(await call<Page>(admin, 'listTransfers', { params: { walletId: wallet.id } }))).toEqual([held.id]);

  expect(await refusal(approver, 'createApprovalDecision', { params: { approvalId }, body: { value: 'Denied' } })).toMatchObject({
    status: 409,
  });
  expect(await call(admin, 'archivePolicy', { params })).toMatchObject({ status: 'Archived' });
  expect(ids(await call<Page>(admin, 'listPolicies', { query: '?status=Active' }))).toEqual([]);
});

test('a webhook is registered, pinged, changed and deleted, and its failed deliveries show their next attempt', async () => {
  const body = { url: sink.url, events: ['wallet.created', 'wallet.tags.modified'], description: 'Books', status: 'Enabled' };
  const { id: webhookId } = await call<Named>(admin, 'createWebhook', { body });
  const params = { webhookId };
  const { items } = await call<Page>(admin, 'listWebhooks', { query: '?limit=200' });
  expect(items.map(({ id }) => id).sort()).toEqual([webhookId, everythingId].sort());
  await call(admin, 'getWebhook', { params });
  expect(await call(admin, 'pingWebhook', { params })).toMatchObject({ status: '200' });

  const recorded = async (query: string) => {
    const { items } = await call<Page<Event>>(admin, 'listWebhookEvents', { params, query });
    return items.length > 0 && items.every(({ status }) => status !== 'Pending') && items;
  };
  const wallet = await call<Named>(admin, 'createWallet', { body: { network: 'EthereumSepolia' } });
  const [told] = await waitUntil('a delivery', () => recorded('?kind=wallet.created&deliveryFailed=false'));
  expect(told).toMatchObject({ status: '200', data: { wallet: { id: wallet.id } }, deliveryAttempt: 1 });

  sink.behave(500);
  await call(admin, 'tagWallet', { params: { walletId: wallet.id }, body: { tags: ['new'] } });
  const [failed] = await waitUntil('a failed delivery', () => recorded('?deliveryFailed=true&limit=1'));
  expect(failed).toMatchObject({ kind: 'wallet.tags.modified', status: '500', deliveryFailed: true });
  expect(Number.isNaN(Date.parse(failed?.nextAttemptDate ?? ''))).toBe(false);
  await call(admin, 'getWebhookEvent', { params: { webhookId, webhookEventId: failed?.id ?? '' } });

  expect(await call(admin, 'updateWebhook', { params, body: { status: 'Disabled', events: ['*'] } })).toMatchObject({
    status: 'Disabled',
    events: ['*'],
  });
  // A ping does not report a change, so the document does not list it as an event.
  const delivered = sink.deliveries.filter(({ envelope }) => envelope.kind !== 'webhook.ping');
  expect(delivered.length).toBeGreaterThan(1);
  expect(delivered.flatMap(({ envelope }) => faultsOfDelivery(envelope))).toEqual([]);
  await call(admin, 'deleteWebhook', { params });
  expect(await refusal(admin, 'getWebhook', { params })).toMatchObject({ status: 404 });
});

test('an invalid request is refused with the path of the invalid field, in the common error format', async () => {
  expect(await refusal(admin, 'createWallet', { body: { network: 'Atlantis' } })).toMatchObject({
    id: 'InvalidRequest',
    status: 400,
    message: expect.any(String),
    details: { issues: [{ path: 'body.network', message: expect.any(String) }] },
  });
  expect(await refusal(admin, 'getWallet', { params: { walletId: 'wa-00000-00000-0000000000000000' } })).toMatchObject({
    status: 404,
  });
});

test('transactions of every kind are sent, read and listed', () => transactionStory(service, admin));

test('one wallet pays the fees of another wallet', () => feeSponsorStory(service, admin));

test('a waiting request is aborted, and a stuck request is sped up or cancelled', () => replacementStory(service, admin));

test('the second of two equal payments is confirmed', () => equalPaymentsStory(service, admin));

test('people register, log in and out, and recover; end users do so through a program', () => peopleStory(service, admin));

test('keys are created, derived, delegated, exported, imported and deleted', async () => {
  const { items } = await call<Page<{ readonly userId: string }>>(admin, 'listUsers', { query: '?kind=EndUser' });
  await keysStory(admin, service.firstRun().orgId, items[0]?.userId ?? '');
});

test('permissions are created, assigned and revoked, and further credentials are added', () =>
  rightsStory(admin, service.userId('approver')));

test('a key signs through its own path and through its wallet’s path', () => signaturesStory(admin));

test('waiting activities are explained, decided together and withdrawn', () => heldStory(service, admin, approver));

test('a signed transaction that is never sent is cancelled', () => unsentStory(service, admin));

test('policies are tried out before they take effect', () => triedPoliciesStory(service, admin));

test('known addresses and contracts are registered', () => registryStory(admin));

test('an address is watched', () => addressWatchStory(service, admin));

test('a wallet is frozen and released', () => freezeStory(service, admin));

test('a vendor is connected, tested and disconnected', () => integrationsStory(admin));

test('every event that these stories delivered fits the document', async () => {
  const kinds = () => new Set(everything.deliveries.map(({ envelope }) => envelope.kind));
  await waitUntil(`deliveries of ${KINDS_MIN} kinds`, () => kinds().size >= KINDS_MIN);
  const events = everything.deliveries.map(({ envelope }) => envelope);
  expect(events.flatMap((envelope) => faultsOfDelivery(envelope).map((fault) => `${envelope.kind}: ${fault}`))).toEqual([]);
});

test('the feed contains every event that the webhook received, at the position in the webhook’s headers, and the hash chain verifies', async () => {
  const { orgId } = service.firstRun();
  const items = await readChain<FeedItem>(admin, 'listEvents', orgId, followFeed);
  const firsts = everything.deliveries.filter(
    ({ envelope }) => envelope.deliveryAttempt === 1 && envelope.kind !== 'webhook.ping',
  );
  expect(firsts.length).toBeGreaterThan(KINDS_MIN);
  for (const { envelope, headers } of firsts) {
    const { sequence, digest, event } = items[Number(headers['x-svc-webhook-sequence']) - 1] ?? {};
    const { kind, date, data, version } = envelope;
    expect([String(sequence), digest, event]).toEqual([
      headers['x-svc-webhook-sequence'],
      headers['x-svc-webhook-digest'],
      { id: headers['x-svc-webhook-event'], kind, date, data, version },
    ]);
  }
});

test('a wallet is found by the asset of a final payment about a minute later', () => holdersStory(admin));

test('the events of a period are exported', () => exportStory(admin));

test('the signer attests the feed about once a minute', async () => {
  const isAttested = async () => ((await admin.get('/events/checkpoints')).body as Page).items.length > 0;
  await waitUntil('a checkpoint', isAttested, CHECKPOINT_LIMIT_MS);
  const [checkpoint] = (await call<Page<SignedCheckpoint & { readonly sequence: number }>>(admin, 'listFeedCheckpoints')).items;
  const { statement, sequence } = checkpoint ?? { statement: '', sequence: 0 };
  const { items } = await call<Page<FeedItem>>(admin, 'listEvents', { query: '?limit=500' });
  const { hash } = items[sequence - 1] ?? {};
  expect(readCheckpoint('feed', statement)).toMatchObject({ organizationId: service.firstRun().orgId, sequence, hash });
});

test('the audit log contains every signed change once, its hash chain verifies, and the signer attests it', async () => {
  const { orgId } = service.firstRun();
  const times = { startTime: '2020-01-01T00:00:00Z', endTime: '2099-01-01T00:00:00Z' };
  const changes = await call<string>(admin, 'listAuditLogs', { query: `?${new URLSearchParams(times)}` });
  const items = await readChain<AuditItem>(admin, 'listAuditEntries', orgId, followAudit);
  const signed = items.filter(({ entry }) => entry.kind === 'UserAction').map(({ entry }) => entry.id);
  expect(new Set(signed.map((id) => changes.split(id).length))).toEqual(new Set([2]));
  const isAttested = async () => ((await admin.get('/audit-log/checkpoints')).body as Page).items.length > 0;
  await waitUntil('a checkpoint', isAttested, CHECKPOINT_LIMIT_MS);
  const [checkpoint] = (await call<Page<SignedCheckpoint & { readonly sequence: number }>>(admin, 'listAuditCheckpoints')).items;
  const { hash } = items[(checkpoint?.sequence ?? 0) - 1] ?? {};
  expect(readCheckpoint('audit', checkpoint?.statement ?? '')).toMatchObject({ organizationId: orgId, hash });
});

test('every operation is either carried out here or listed in ELSEWHERE with the test file that carries it out', () => {
  expect([...answered, ...Object.keys(ELSEWHERE)].sort()).toEqual(operations.map(({ id }) => id).sort());
});
