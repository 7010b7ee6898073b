import { createWalletActivities } from '../../../activities/wallets/wallets';
import { createWallet } from '../../../application/wallets/create-wallet';
import { listWallets } from '../../../application/wallets/list-wallets';
import { tagWallet, untagWallet } from '../../../application/wallets/tags';
import { viewOf } from '../../../application/wallets/view';
import { updateWallet, walletOf } from '../../../application/wallets/wallets';
import { EventEntity } from '../../../entities/events/event.entity';
import { KeyEntity } from '../../../entities/keys/key.entity';
import { keyStore } from '../../../entities/keys/key.store';
import { OrganizationEntity } from '../../../entities/organizations/organization.entity';
import { OutboxRowEntity } from '../../../entities/outbox/outbox-row.entity';
import { type Policy, policyStore } from '../../../entities/policies/policy.store';
import { WalletEntity } from '../../../entities/wallets/wallet.entity';
import { newId } from '../../../platform/ids';
import { type Actor, createActor } from '../../support/actor';
import { APPROVING } from '../../support/approving';
import { startWalletServices, type WalletServices } from '../../support/wallet-services';

let parts: WalletServices;
let orgId: string;
let actor: Actor;

beforeAll(async () => {
  parts = await startWalletServices();
}, 120_000);
afterAll(() => parts?.close());
beforeEach(async () => {
  orgId = await parts.database.createOrganization();
  actor = await createActor(parts.database.db, orgId);
});

const read = () => parts.database.db.read(orgId);
const network = 'EthereumSepolia';
const create = async (request: Partial<Parameters<typeof createWallet>[2]> = {}, by = actor) =>
  createWallet(parts.services, await by.authority(), { network, ...request });
const list = async (query: Parameters<typeof listWallets>[2], by = actor) =>
  (await listWallets(parts.services, by.caller, query, 50)).map(({ wallet }) => wallet.id);
const delegate = (keyId: string, userId: string) =>
  parts.database.db.withOrg(orgId, (tx) => tx.update(KeyEntity, { id: keyId }, { delegatedTo: userId }));
const events = (aggregateId: string) => read().rows(EventEntity, 'WHERE t.aggregate_id = $1 ORDER BY t.id', [aggregateId]);
const epoch = async () => (await read().row(OrganizationEntity, 'WHERE t.id = $1', [orgId]))?.policyEpoch;

describe('create', () => {
  test('a wallet is returned with its address, after its sealed key was written to both stores', async () => {
    const wallet = await create({ name: 'Treasury', tags: ['b', 'a', 'b'] });
    expect(wallet).toMatchObject({ network, status: 'Active', name: 'Treasury', custodial: true, tags: ['a', 'b'] });
    expect(wallet.address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(Object.values(wallet)).not.toContain(null);
    const { sealed, dek } = await keyStore.forSigning(read(), wallet.signingKey.id);
    expect(await parts.signer.client.createKey({ orgId, keyId: sealed.keyId, scheme: 'ECDSA', curve: 'secp256k1', dek })).toEqual(
      {
        publicKeyHex: wallet.signingKey.publicKey,
        sealed,
        dek,
      },
    );
  });

  test('the events carry the wallet and the key as they are returned', async () => {
    const wallet = await create();
    expect(await events(wallet.id)).toMatchObject([{ kind: 'wallet.created', aggregateVersion: 1, data: { wallet } }]);
    const { id, scheme, curve, publicKey } = wallet.signingKey;
    expect(await events(id)).toMatchObject([
      { kind: 'key.created', data: { key: { id, scheme, curve, publicKey, status: 'Active', custodial: true } } },
    ]);
  });

  test('fifty concurrent requests with one external id create one wallet and one key', async () => {
    const before = parts.signer.keys();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ externalId: 'one', name: 'Same' })));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await read().rows(WalletEntity, '')).toHaveLength(1);
    expect(await read().rows(KeyEntity, '')).toHaveLength(1);
    expect(await read().rows(OutboxRowEntity, `WHERE t.kind = 'start'`)).toHaveLength(1);
    expect(await read().rows(EventEntity, `WHERE t.kind = 'wallet.created'`)).toHaveLength(1);
    expect(parts.signer.keys() - before).toBe(1);
  }, 60_000);

  test('a different request with the same external id is a conflict that names the first wallet', async () => {
    const first = await create({ externalId: 'taken' });
    await expect(create({ externalId: 'taken', name: 'Other' })).rejects.toMatchObject({
      code: 'Conflict',
      message: 'Conflicting wallet with same externalId',
      details: { duplicate: { id: first.id, externalId: 'taken' } },
    });
  });

  test('an external id that another organisation uses can be used here too', async () => {
    const first = await create({ externalId: 'shared' });
    const elsewhere = await parts.database.createOrganization();
    const second = await create({ externalId: 'shared' }, await createActor(parts.database.db, elsewhere));
    expect(second.id).not.toBe(first.id);
  });

  test('a network without a node, and a curve or scheme that does not fit the network, are refused before anything is written', async () => {
    await expect(create({ network: 'Ethereum' })).rejects.toMatchObject({ code: 'NetworkNotEnabled' });
    await expect(create({ network: 'Bitcoin' })).rejects.toMatchObject({
      code: 'NetworkNotEnabled',
      details: { issues: [{ path: 'body.network' }] },
    });
    await expect(create({ signingKey: { curve: 'ed25519' } })).rejects.toMatchObject({
      code: 'InvalidRequest',
      details: { issues: [{ path: 'body.signingKey.curve' }] },
    });
    await expect(create({ signingKey: { scheme: 'Schnorr' } })).rejects.toMatchObject({ code: 'InvalidRequest' });
    expect(await read().rows(WalletEntity, '')).toEqual([]);
    expect(await read().rows(KeyEntity, '')).toEqual([]);
  });

  test('a key has one wallet per network, and an unknown key is not found', async () => {
    const { signingKey } = await create();
    await expect(create({ signingKey: { id: signingKey.id } })).rejects.toMatchObject({ code: 'Conflict' });
    await expect(create({ signingKey: { id: newId('key') } })).rejects.toMatchObject({ code: 'NotFound' });
  });

  test('a key without a wallet on the network gets one at once, with its own events', async () => {
    const { signingKey } = await create();
    await parts.database.arrange(`UPDATE wallets SET network = 'Ethereum' WHERE org_id = $1`, [orgId]);
    const second = await create({ signingKey: { id: signingKey.id }, tags: ['x'], externalId: 'second' });
    expect(second).toMatchObject({ signingKey: { publicKey: signingKey.publicKey }, status: 'Active', tags: ['x'] });
    expect(await events(second.id)).toMatchObject([{ kind: 'wallet.created' }]);
    expect(await create({ signingKey: { id: signingKey.id }, tags: ['x'], externalId: 'second' })).toEqual(second);
  });

  test('a crash between the answer of the signer and the commit does not lead to a second key', async () => {
    let isCrashing = true;
    const dying = {
      amendCharter: parts.signer.client.amendCharter,
      attestAddress: parts.signer.client.attestAddress,
      assignFleetKey: parts.signer.client.assignFleetKey,
      createKey: async (order: Parameters<typeof parts.signer.client.createKey>[0]) => {
        const created = await parts.signer.client.createKey(order);
        if (isCrashing) throw new Error('crash');
        return created;
      },
    };
    const { createWalletKey } = createWalletActivities({ db: parts.database.db, signer: dying, ...APPROVING });
    const carryOut = (_org: string, { aggregateId }: { aggregateId: string }) =>
      createWalletKey({ orgId, walletId: aggregateId }).catch(() => undefined);
    const services = { ...parts.services, dispatcher: { ...parts.services.dispatcher, tryNow: carryOut } };
    const before = parts.signer.keys();
    const answer = createWallet(services, await actor.authority(), { network, externalId: 'crash' });
    const unseen = async () => (await read().rows(WalletEntity, `WHERE t.status = 'Creating'`))[0];
    const waiting = await parts.services.changes.waitFor(
      '',
      unseen,
      (row) => row !== undefined && parts.signer.keys() > before,
      5_000,
    );
    if (!waiting) throw new Error('the wallet has not been inserted');
    await expect(walletOf(read(), actor.caller, waiting.id)).rejects.toMatchObject({ code: 'NotFound' });
    expect(await list({})).toEqual([]);
    isCrashing = false;
    await Promise.all([createWalletKey({ orgId, walletId: waiting.id }), createWalletKey({ orgId, walletId: waiting.id })]);
    expect((await answer).id).toBe(waiting.id);
    expect(parts.signer.keys() - before).toBe(1);
    expect(await events(waiting.id)).toHaveLength(1);
  });
});

describe('list', () => {
  test('every filter narrows, tags must all match, and the newest comes first', async () => {
    const first = await create({ tags: ['a', 'b'], externalId: 'x-1' });
    const second = await create({ tags: ['a'] });
    expect(await list({})).toEqual([second.id, first.id]);
    expect(await list({ tags: ['a'] })).toEqual([second.id, first.id]);
    expect(await list({ tags: ['a', 'b'] })).toEqual([first.id]);
    expect(await list({ externalId: 'x-1' })).toEqual([first.id]);
    expect(await list({ network })).toHaveLength(2);
    expect(await list({ network: 'Bitcoin' })).toEqual([]);
    expect(await list({ status: 'Archived' })).toEqual([]);
    expect(await list({ after: second.id })).toEqual([first.id]);
  });

  test('an owner is named by id or username, and an end user sees only wallets that are delegated to this user', async () => {
    const [mine, other] = [await create(), await create()];
    const endUser = await createActor(parts.database.db, orgId, 'EndUser');
    const { userId } = endUser.caller;
    await delegate(mine.signingKey.id, userId);
    expect(await list({ owner: userId })).toEqual([mine.id]);
    expect(await list({ owner: endUser.username })).toEqual([mine.id]);
    expect(await list({ ownerId: userId, ownerUsername: endUser.username })).toEqual([mine.id]);
    expect(await list({ ownerId: userId, owner: actor.username })).toEqual([]);
    expect(await list({ owner: 'nobody' })).toEqual([]);
    expect(await list({}, endUser)).toEqual([mine.id]);
    expect(await list({ owner: actor.username }, endUser)).toEqual([]);
    await expect(walletOf(read(), endUser.caller, other.id)).rejects.toMatchObject({ code: 'NotFound' });
    expect(viewOf(await walletOf(read(), endUser.caller, mine.id))).toMatchObject({ custodial: false });
    const update = updateWallet(parts.services, await endUser.authority(), other.id, { name: 'Mine' });
    await expect(update).rejects.toMatchObject({ code: 'NotFound' });
  });
});

describe('change', () => {
  test('name and external id change, null clears, and omitted members stay', async () => {
    const { id } = await create({ name: 'Old', externalId: 'old' });
    const change = async (body: Parameters<typeof updateWallet>[3]) =>
      updateWallet(parts.services, await actor.authority(), id, body);
    expect(await change({ name: 'New' })).toMatchObject({ name: 'New', externalId: 'old' });
    const cleared = await change({ name: null, externalId: null });
    expect(cleared).not.toHaveProperty('name');
    expect(cleared).not.toHaveProperty('externalId');
    await change({});
    expect((await read().row(WalletEntity, 'WHERE t.id = $1', [id]))?.version).toBe(3);
  });

  test('changing to an external id of another wallet is a conflict that leaves the wallet and the user action as they were', async () => {
    const [first, second] = [await create({ externalId: 'mine' }), await create()];
    const authority = await actor.authority();
    await expect(updateWallet(parts.services, authority, second.id, { externalId: 'mine' })).rejects.toMatchObject({
      code: 'Conflict',
      details: { duplicate: { id: first.id, externalId: 'mine' } },
    });
    expect(await updateWallet(parts.services, authority, second.id, { externalId: 'free' })).toMatchObject({
      externalId: 'free',
    });
  });

  test('tags are added and removed once, and the event names only the tags that changed', async () => {
    const { id } = await create({ tags: ['a'] });
    await tagWallet(parts.services, await actor.authority(), id, ['b', 'a', 'b']);
    await tagWallet(parts.services, await actor.authority(), id, ['a', 'b']);
    await untagWallet(parts.services, await actor.authority(), id, ['a', 'never']);
    await untagWallet(parts.services, await actor.authority(), id, []);
    const [, added, removed, ...more] = await events(id);
    expect(added).toMatchObject({
      kind: 'wallet.tags.modified',
      aggregateVersion: 2,
      data: { wallet: { id, tags: ['a', 'b'] }, tagsAdded: ['b'], tagsRemoved: [] },
    });
    expect(removed).toMatchObject({ aggregateVersion: 3, data: { wallet: { tags: ['b'] }, tagsAdded: [], tagsRemoved: ['a'] } });
    expect(more).toEqual([]);
  });

  test('a wallet takes at most ten tags, even when two requests add tags at once', async () => {
    const { id } = await create({ tags: ['1', '2', '3', '4', '5', '6', '7', '8'] });
    const add = async (tags: string[]) => tagWallet(parts.services, await actor.authority(), id, tags);
    const outcomes = await Promise.allSettled([add(['9', '10']), add(['11', '12'])]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(viewOf(await walletOf(read(), actor.caller, id)).tags).toHaveLength(10);
    await expect(add(['13'])).rejects.toMatchObject({ code: 'InvalidRequest', details: { issues: [{ path: 'body.tags' }] } });
  });

  test('a change of a tag that a policy in force filters by is treated as a policy change, and a change of any other tag is not', async () => {
    const { id } = await create();
    const policy = (filters: Policy['filters']) => ({
      name: 'Some policy',
      activityKind: 'Wallets:Sign' as const,
      rule: { kind: 'AlwaysTrigger' as const },
      action: { kind: 'Block' as const },
      filters,
    });
    await parts.database.db.withOrg(orgId, async (tx) => {
      await policyStore.create(tx, policy({ walletTags: { hasAny: ['hot'] } }));
      await policyStore.create(tx, policy({ walletTags: { hasAll: ['cold', 'vault'] } }));
      await policyStore.create(tx, policy(null));
      const gone = await policyStore.create(tx, policy({ walletTags: { hasAny: ['gone'] } }));
      await policyStore.change(tx, gone, { status: 'Archived', version: 2 });
    });
    const before = (await epoch()) ?? 0;
    await tagWallet(parts.services, await actor.authority(), id, ['gone', 'plain']);
    expect(await epoch()).toBe(before);
    await tagWallet(parts.services, await actor.authority(), id, ['hot']);
    expect(await epoch()).toBe(before + 1);
    await tagWallet(parts.services, await actor.authority(), id, ['vault']);
    await untagWallet(parts.services, await actor.authority(), id, ['hot', 'plain']);
    expect(await epoch()).toBe(before + 3);
  });
});
