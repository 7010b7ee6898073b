import type { TransferRequest } from '../../../application/outgoing/family-forms';
import { readRequest, visibleRequest } from '../../../application/outgoing/record-request';
import { requestTransaction } from '../../../application/outgoing/request-transaction';
import { requestTransfer } from '../../../application/outgoing/request-transfer';
import type { Services } from '../../../application/services';
import { AppError } from '../../../domain/errors';
import type { Tier } from '../../../domain/networks';
import { organizationStore } from '../../../entities/organizations/organization.store';
import { OutboxRowEntity } from '../../../entities/outbox/outbox-row.entity';
import { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { WalletEntity } from '../../../entities/wallets/wallet.entity';
import { createSecretBox } from '../../../platform/secret-box';
import { type Actor, createActor } from '../../support/actor';
import { APPROVING } from '../../support/approving';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertWallet } from '../../support/held-activity';
import { RECIPIENT } from '../../support/policies';
import { inTier } from '../../support/tiers';

let database: TestDatabase;
let orgId: string;
let actor: Actor;
let walletId: string;
let services: Services;
/** The dedupe keys of the outbox rows that were tried at once after their commit. */
let tried: string[];

beforeAll(async () => {
  database = await createTestDatabase(24);
});
afterAll(() => database?.close());
beforeEach(async () => {
  orgId = await database.createOrganization();
  actor = await createActor(database.db, orgId);
  walletId = await insertWallet(database.db, orgId);
  tried = [];
  const dispatcher = {
    carryOut: async () => undefined,
    tryNow: async (_orgId: string, { dedupeKey }: { readonly dedupeKey: string }) => void tried.push(dedupeKey),
    execute: () => Promise.reject(new Error('no workflow is executed here')),
  };
  services = {
    db: database.db,
    readers: () => {
      throw new AppError('NetworkUnavailable', 'no node is asked here');
    },
    dispatcher,
    changes: { waitFor: (_id, read) => read(), close: async () => undefined },
    webhookSecrets: createSecretBox(Buffer.alloc(32), 'webhook-secrets'),
    webhookTargets: { allowLoopback: false },
    keyRequestSecrets: createSecretBox(Buffer.alloc(32), 'key-requests'),
    travelRuleSecrets: createSecretBox(Buffer.alloc(32), 'travel-rule'),
    ...APPROVING,
    integrationSecrets: createSecretBox(Buffer.alloc(32), 'integrations'),
  };
});

const request = async (set: Partial<TransferRequest> = {}, who = actor, wallet = walletId) =>
  requestTransfer(services, await who.authority(), wallet, { kind: 'Native', to: RECIPIENT, amount: '1000', ...set });
const rows = () => database.db.read(orgId).rows(OutgoingEntity, 'ORDER BY t.id');
const outbox = (id: string) => database.db.read(orgId).rows(OutboxRowEntity, 'WHERE t.aggregate_id = $1 ORDER BY t.id', [id]);

test('a request writes one row, its event and the outbox row that starts its workflow, in this order, and this start is tried at once', async () => {
  const row = await request({ priority: 'Fast' });
  expect(row).toMatchObject({
    state: 'Requested',
    version: 1,
    toAddress: RECIPIENT,
    amountUnits: '1000',
    priority: 'Fast',
    assetSymbol: 'ETH',
    assetDecimals: 18,
    assetVerified: true,
    feeCeilingUnits: '50000000000000000',
    requesterUserId: actor.caller.userId,
  });
  expect((await outbox(row.id)).map(({ kind }) => kind)).toEqual(['event', 'start']);
  const start = (await outbox(row.id))[1];
  expect(start?.routing).toMatchObject({ workflow: 'transfer', walletId, network: 'EthereumSepolia' });
  expect(JSON.stringify(start?.routing)).not.toContain(RECIPIENT);
  expect(tried).toEqual([`start:${row.id}`]);
});

test('the same request under the same externalId returns the first transfer and starts no workflow', async () => {
  const first = await request({ externalId: 'invoice' });
  const second = await request({ externalId: 'invoice' });
  expect(second).toEqual(first);
  expect(await rows()).toHaveLength(1);
  expect(await outbox(first.id)).toHaveLength(2);
  expect(tried).toHaveLength(1);
});

test('the first transfer is returned in its present state', async () => {
  const { id } = await request({ externalId: 'invoice' });
  await database.db.withOrg(orgId, async (tx) => outgoingStore.move(tx, await outgoingStore.lock(tx, id), 'Rejected'));
  expect(await request({ externalId: 'invoice' })).toMatchObject({ id, state: 'Rejected' });
});

test('twenty retries at once under one externalId create one transfer', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => request({ externalId: 'invoice' })));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(await rows()).toHaveLength(1);
});

test.each<[string, Partial<TransferRequest>]>([
  ['amount', { amount: '1001' }],
  ['recipient', { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }],
  ['priority', { priority: 'Fast' }],
])('a different %s under the same externalId is a conflict and creates no transfer', async (_what, change) => {
  await request({ externalId: 'invoice' });
  await expect(request({ externalId: 'invoice', ...change })).rejects.toMatchObject({ code: 'Conflict' });
  expect(await rows()).toHaveLength(1);
  expect(tried).toHaveLength(1);
});

test('the same externalId with a different wallet is a conflict, and with a different organisation it is not', async () => {
  await request({ externalId: 'invoice' });
  const second = await insertWallet(database.db, orgId);
  await expect(request({ externalId: 'invoice' }, actor, second)).rejects.toMatchObject({ code: 'Conflict' });
  const other = await database.createOrganization();
  const stranger = await createActor(database.db, other);
  const theirs = await request({ externalId: 'invoice' }, stranger, await insertWallet(database.db, other));
  expect(theirs.orgId).toBe(other);
});

test('each request without an externalId is a separate payment', async () => {
  await Promise.all([request(), request(), request()]);
  expect(await rows()).toHaveLength(3);
});

test('of twenty equal payments at once one proceeds, and the others wait for a confirmation', async () => {
  await database.db.withOrg(orgId, (tx) => organizationStore.changeSettings(tx, { equalPaymentHoldMinutes: 60 }));
  const authorities = await Promise.all(Array.from({ length: 20 }, () => actor.authority()));
  const body = { kind: 'Native', to: RECIPIENT, amount: '1000' } as const;
  await Promise.all(authorities.map((authority) => requestTransfer(services, authority, walletId, body)));
  expect((await rows()).filter(({ equalToId }) => equalToId === null)).toHaveLength(1);
});

test('a user action that is used up creates no transfer, even under a new externalId', async () => {
  const authority = await actor.authority();
  const ask = (externalId: string) =>
    requestTransfer(services, authority, walletId, { kind: 'Native', to: RECIPIENT, amount: '1', externalId });
  await ask('one');
  await expect(ask('two')).rejects.toMatchObject({ code: 'UserActionUsed' });
  expect(await rows()).toHaveLength(1);
});

test.each(['Archived', 'Inactive'] as const)('a wallet that is %s cannot send', async (status) => {
  await database.db.withOrg(orgId, (tx) => tx.update(WalletEntity, { id: walletId }, { status }));
  await expect(request()).rejects.toMatchObject({ code: 'WrongState' });
  expect(await rows()).toEqual([]);
});

test('an invalid recipient is reported as a fault in that field', async () => {
  await expect(request({ to: `${RECIPIENT}0` })).rejects.toMatchObject({
    code: 'InvalidAddress',
    details: { issues: [{ path: 'body.to' }] },
  });
});

test('no token transfer begins while no node answers', async () => {
  await expect(request({ kind: 'Erc20', contract: RECIPIENT })).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  expect(await rows()).toEqual([]);
});

test('a transfer is found through its own wallet and organisation only', async () => {
  const { id } = await request();
  const find = async ({ caller }: Actor, wallet: string) =>
    visibleRequest(
      caller,
      'Transfer',
      { walletId: wallet, requestId: id },
      await readRequest(database.db.read(caller.orgId), wallet, id),
    );
  expect(await find(actor, walletId)).toMatchObject({ id });
  const second = await insertWallet(database.db, orgId);
  await expect(find(actor, second)).rejects.toMatchObject({ code: 'NotFound' });
  const stranger = await createActor(database.db, await database.createOrganization());
  await expect(find(stranger, walletId)).rejects.toMatchObject({ code: 'NotFound' });
});

test('requests beyond the tier of a network are NotFound: tokens in tiers 2 and 3, any transfer in tier 3', async () => {
  const said = (tier: Tier, run: () => Promise<unknown>) =>
    inTier('EthereumSepolia', tier, () =>
      run().then(
        () => 'taken',
        ({ code }: AppError) => code,
      ),
    );
  const token = { kind: 'Erc20' as const, contract: RECIPIENT };
  const raw = async () =>
    requestTransaction(services, await actor.authority(), walletId, { kind: 'Evm', to: RECIPIENT, nonce: 0 });
  expect(await said(2, () => request(token))).toBe('NotFound');
  expect(await said(3, () => request())).toBe('NotFound');
  expect(await said(3, raw)).toBe('NotFound');
  expect(await rows()).toEqual([]);
  expect(await said(2, raw)).toBe('NetworkUnavailable');
  expect(await said(1, () => request(token))).toBe('NetworkUnavailable');
  expect(await said(2, () => request())).toBe('taken');
});
