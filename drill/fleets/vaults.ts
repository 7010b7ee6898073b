import { randomBytes, sign } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { createClient } from '../../local/client';
import { createTrialOrganization, type TrialUser } from '../../local/trial-organization';
import { newId } from '../../platform/ids';
import { offerKeyStoreEntry } from '../../signer/charters/offer-charter';
import { type KeyStoreEntry, keyStoreBytes } from '../../signer/key-stores/key-store-change';
import { signerIdIn } from '../../signer/keys/share-keys';
import type { Cell } from '../cases';
import { until } from '../faults/polling';
import type { Stage } from '../rig';
import { withDatabase } from '../tenants/tenants';
import { holdGenesis } from './carry';
import { insist } from './insist';
import { createMachines, type Machines } from './machines';
import type { Vault } from './vault';

const NETWORK = 'EthereumSepolia';
const TEN_ETHER = '0x8AC7230489E80000';
const RECORDED_WITHIN_MS = 30_000;
/** A step that a killed worker had begun is repeated only after a minute. */
const GIVEN_WITHIN_MS = 150_000;
/** A genesis occupies the worker and this process for a moment. */
const AT_ONCE = 6;

const Created = z.object({ id: z.string() });
const Wallet = z.object({ id: z.string(), address: z.string() });

/** Every round uses the same fleets. */
const FOUNDED = new WeakMap<Stage, Vault[]>();

/** Founds fleets for the story `carried` until the stage has `count` of them. */
export async function foundVaults(stage: Stage, count: number): Promise<readonly Vault[]> {
  const vaults = FOUNDED.get(stage) ?? [];
  FOUNDED.set(stage, vaults);
  while (vaults.length < count) {
    const opened = await openVaults(stage, Math.min(AT_ONCE, count - vaults.length));
    const deadline = performance.now() + GIVEN_WITHIN_MS;
    await Promise.all(opened.map((vault) => holdGenesis(vault, deadline)));
    vaults.push(...opened);
  }
  return vaults;
}

/**
 * Gives each cell of the story `carried` a fleet that no other cell of the round has, and a funded wallet of the fleet. Gives
 * each cell of the story `founded` a store without a fleet.
 */
export async function giveVaults(stage: Stage, cells: readonly Cell[]): Promise<void> {
  const carried = cells.filter(({ point }) => point.story === 'carried');
  const founded = cells.filter(({ point }) => point.story === 'founded');
  const [vaults, empty] = [await foundVaults(stage, carried.length), await openVaults(stage, founded.length)];
  for (const [at, cell] of founded.entries()) cell.vault = empty[at];
  for (const [at, cell] of carried.entries()) cell.vault = vaults[at];
  for (let at = 0; at < carried.length; at += AT_ONCE)
    await Promise.all(carried.slice(at, at + AT_ONCE).map((cell) => giveOfflineWallet(stage, cell)));
}

async function giveOfflineWallet(stage: Stage, cell: Cell): Promise<void> {
  const { vault, key } = cell;
  if (!vault) throw new Error('every cell has a fleet');
  const body = { network: NETWORK, externalId: `${key}-wallet`, signingKey: { storeId: vault.storeId } };
  const deadline = performance.now() + GIVEN_WITHIN_MS;
  cell.wallet = await insist(deadline, () => vault.client('admin').change('POST', '/wallets', body, Wallet));
  await stage.rpc('anvil_setBalance', [cell.wallet.address, TEN_ETHER]);
}

/** `agrees` is as in `createMachines`. */
export const newMachines = (stage: Stage, agrees?: (question: string) => boolean): Promise<Machines> =>
  createMachines(join(stage.place().dataFolder, 'drill-fleets', randomBytes(4).toString('hex')), agrees);

/**
 * Creates organisations, each with an offline store without a fleet. Every transfer of such an organisation needs the approval of
 * the approver.
 */
async function openVaults(stage: Stage, count: number): Promise<readonly Vault[]> {
  if (count === 0) return [];
  return withDatabase(stage, (db, keys) =>
    Promise.all(
      Array.from({ length: count }, async (): Promise<Vault> => {
        const { orgId, users } = await createTrialOrganization(db, keys);
        const [admin, approver] = users;
        if (!admin || !approver) throw new Error('an organisation has two users');
        const client = (user: 'admin' | 'approver') => createClient(stage.place().apiUrl, { admin, approver }[user]);
        const { change } = client('admin');
        await change('POST', '/webhooks', { url: stage.receiver.url, events: ['*'], description: 'drill' }, Created);
        await change('POST', '/v2/policies', askingPolicy(approver), Created);
        return { orgId, storeId: await addOfflineStore(stage, orgId), client, machines: await newMachines(stage) };
      }),
    ),
  );
}

const askingPolicy = ({ userId }: TrialUser) => ({
  ...{ name: 'Officers', activityKind: 'Wallets:Sign', rule: { kind: 'AlwaysTrigger' } },
  action: {
    kind: 'RequestApproval',
    approvalGroups: [{ name: 'Officers', quorum: 1, approvers: { userId: { in: [userId] } } }],
  },
});

/**
 * Adds an offline store to an organisation that has no other added store, and waits until the service knows it. Returns the id
 * of the new store.
 */
export async function addOfflineStore(stage: Stage, orgId: string): Promise<string> {
  const stateDir = stage.folderOf('signer');
  const signerId = signerIdIn(join(stateDir, 'share-keys.json'));
  if (signerId === undefined) throw new Error('a signer has an id');
  const storeId = newId('keyStore');
  const first = { v: 1, signerId, organizationId: orgId, n: 1, previous: null, dateIssued: new Date().toISOString() } as const;
  const change = { kind: 'Add', storeId, storeKind: 'OfflineSigner', name: 'Vault' } as const;
  const entry = JSON.stringify({ ...first, change } satisfies KeyStoreEntry);
  const signature = sign(null, keyStoreBytes(entry), stage.operatorKey).toString('base64');
  const outcome = await offerKeyStoreEntry(stateDir, { entry, signature }, RECORDED_WITHIN_MS);
  if (outcome !== 'Adopted') throw new Error(`the signer did not record the key store: ${outcome ?? 'no answer'}`);
  await until('the service knows the key store', async () => {
    const known = await stage.sql('SELECT 1 FROM key_stores WHERE id = $1', [storeId]);
    return known.length > 0 ? true : undefined;
  });
  return storeId;
}
