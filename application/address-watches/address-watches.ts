import { codecOf } from '../../chains/codecs';
import { findBareNetwork, findNetwork, whyUnread } from '../../chains/networks';
import type { AddressWatchNetwork } from '../../domain/address-watches';
import { AppError, invariant } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { NetworkName } from '../../domain/networks';
import type { AddressWatchEntity } from '../../entities/address-watches/address-watch.entity';
import {
  type AddressWatchFilter,
  addressWatchStore,
  type NewAddressWatch,
} from '../../entities/address-watches/address-watch.store';
import { backfillStore } from '../../entities/backfills/backfill.store';
import type { Reader, Tx } from '../../entities/database';
import { watchedAddressStore } from '../../entities/scans/watched-address.store';
import { violatedIndex } from '../../entities/unique-violation';
import { digestOf } from '../../platform/canonical';
import { newId } from '../../platform/ids';
import { backfillArchivedTime } from '../backfills/start-backfill';
import { enabledNetwork, notEnabled } from '../networks/enabled-networks';
import { spellingsOf } from '../registry/registry-addresses';
import { addressAt } from '../request-faults';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import type { AssetBalance } from '../wallets/asset-info';
import { balancesOf } from '../wallets/assets';
import { type AddressWatchView, addressWatchView } from './view';

export type AddressWatchRequest = {
  readonly network: AddressWatchNetwork;
  readonly address: string;
  readonly name?: string | undefined;
  readonly externalId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
};

const NETWORK = 'body.network';

/**
 * Creates a watch of the address, or reactivates an archived watch, which keeps its id and its history. An active watch stays
 * unchanged. Throws `NetworkNotEnabled` and `InvalidAddress`. Throws `Conflict` if another request has used the external id, or
 * if the address is watched under a different external id.
 */
export async function createAddressWatch(
  services: Pick<Services, 'db' | 'readers'>,
  authority: Authority,
  request: AddressWatchRequest,
): Promise<AddressWatchView> {
  const network = watchableNetwork(services, request.network);
  const address = addressAt('address', () => codecOf(network).parseAddress(request.address));
  const { externalId } = request;
  try {
    return addressWatchView(await act(services.db, authority, (tx) => startWatch(tx, { ...request, network, address })));
  } catch (error) {
    if (violatedIndex(error) === undefined || externalId === undefined) throw error;
    throw conflicting(await addressWatchStore.findByExternalId(services.db.read(authority.caller.orgId), externalId));
  }
}

function watchableNetwork(services: Pick<Services, 'readers'>, name: AddressWatchNetwork): AddressWatchNetwork & NetworkName {
  const note = findBareNetwork(name)?.note;
  if (note !== undefined) throw notEnabled(`${name} is not supported by this service yet: ${note}`, NETWORK);
  const { network } = enabledNetwork(services, name, NETWORK);
  const why = whyUnread(network);
  if (why !== undefined) throw notEnabled(`addresses on ${name} cannot be watched: ${why}`, NETWORK);
  return network.name as AddressWatchNetwork & NetworkName;
}

/** The 409 for a request whose external id belongs to a watch that another request created. */
const conflicting = (duplicate: AddressWatchEntity | undefined) =>
  new AppError('Conflict', 'Conflicting address watch with same externalId', duplicateOf(duplicate));

const duplicateOf = (watch: AddressWatchEntity | undefined) =>
  watch ? { duplicate: { id: watch.id, ...(watch.externalId === null ? {} : { externalId: watch.externalId }) } } : {};

type Place = { readonly network: NewAddressWatch['network']; readonly address: string };

async function startWatch(tx: Tx, request: AddressWatchRequest & Place): Promise<AddressWatchEntity> {
  const { network, address, name, externalId } = request;
  const tags = [...new Set(request.tags)].sort();
  const requestDigest = digestOf({ network, address, tags, ...(name === undefined ? {} : { name }) });
  const first = externalId === undefined ? undefined : await addressWatchStore.findByExternalId(tx, externalId);
  if (first && first.requestDigest !== requestDigest) throw conflicting(first);
  const wanted = { network, address, name: name ?? null, externalId: externalId ?? null, tags, requestDigest };
  const id = newId('addressWatch');
  if (await addressWatchStore.add(tx, { id, ...wanted })) return present(tx, id);

  const existing = await addressWatchStore.lockByAddress(tx, network, address);
  // After the query above, another request created a watch with this external id for a different address.
  if (!existing) throw conflicting(await addressWatchStore.findByExternalId(tx, externalId ?? ''));
  if (existing.status === 'Archived') {
    const { id: archivedId } = existing;
    const archived = await watchedAddressStore.find(tx, archivedId);
    invariant(archived, `the address watch ${archivedId} has an address`);
    await addressWatchStore.revive(tx, archivedId, {
      requestDigest,
      ...(name === undefined ? {} : { name }),
      ...(externalId === undefined ? {} : { externalId }),
      ...(request.tags === undefined ? {} : { tags }),
    });
    await backfillArchivedTime(tx, existing, archived);
    return present(tx, archivedId);
  }
  // If the external id were silently dropped, the caller would never find the watch by that id.
  if (externalId !== undefined && existing.externalId !== externalId)
    throw new AppError('Conflict', 'The address is already watched, under another externalId or none', duplicateOf(existing));
  return existing;
}

async function present(tx: Tx, id: string): Promise<AddressWatchEntity> {
  const row = await addressWatchStore.find(tx, id);
  invariant(row, `the address watch ${id} exists`);
  return row;
}

async function rowOf(id: string, find: (id: string) => Promise<AddressWatchEntity | undefined>): Promise<AddressWatchEntity> {
  const row = isId('addressWatch', id) ? await find(id) : undefined;
  if (!row) throw new AppError('NotFound', 'address watch not found', { addressWatchId: id });
  return row;
}

/** Throws `NotFound`. */
export const addressWatchOf = (reader: Reader, id: string): Promise<AddressWatchEntity> =>
  rowOf(id, (one) => addressWatchStore.find(reader, one));

type Listed = Omit<AddressWatchFilter, 'addresses'> & {
  /**
   * The address in any spelling that the network accepts. If no network is given, any spelling that at least one network accepts
   * is allowed.
   */
  readonly address?: string | undefined;
};

/** Newest first. If there is a next page, returns one row more than `limit`. Throws `InvalidAddress`. */
export async function listAddressWatches(
  reader: Reader,
  { address, ...filter }: Listed,
  limit: number,
): Promise<AddressWatchView[]> {
  const addresses = address === undefined ? undefined : spellingsOf(address, findNetwork(filter.network ?? '')?.name);
  return (await addressWatchStore.list(reader, { ...filter, addresses }, limit + 1)).map(addressWatchView);
}

/**
 * Idempotent. The archived watch stays readable, and becomes `Active` again when its address is watched again. Throws `NotFound`.
 */
export function deleteAddressWatch({ db }: Pick<Services, 'db'>, authority: Authority, id: string): Promise<AddressWatchView> {
  return act(db, authority, async (tx) => {
    const row = await rowOf(id, (one) => addressWatchStore.lock(tx, one));
    if (row.status === 'Archived') return addressWatchView(row);
    await addressWatchStore.archive(tx, id);
    await backfillStore.endOf(tx, id, 'the address watch was archived');
    return addressWatchView(await present(tx, id));
  });
}

/** Throws `NotFound`, and `WrongState` for an archived watch. Throws the errors of `balancesOf`. */
export async function watchedBalances(
  services: Services,
  reader: Reader,
  id: string,
): Promise<{ readonly network: AddressWatchEntity['network']; readonly assets: readonly AssetBalance[] }> {
  const watch = await addressWatchOf(reader, id);
  if (watch.status === 'Archived') throw new AppError('WrongState', 'the address watch is archived', { addressWatchId: id });
  return { network: watch.network, assets: await balancesOf(services, watch) };
}
