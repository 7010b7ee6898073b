import { codecOf } from '../../chains/codecs';
import { HOUR_MS } from '../../domain/durations';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { NETWORK_NAMES, type NetworkName } from '../../domain/networks';
import type { AddressContent, RegistryStatus } from '../../domain/registry';
import { hoursNow } from '../../domain/settings';
import type { Reader, Tx } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import type { RegistryAddressEntity } from '../../entities/registry/registry-address.entity';
import { registryAddressStore } from '../../entities/registry/registry-address.store';
import { newId } from '../../platform/ids';
import { type WithPendingChange, withPendingChanges } from '../change-requests/pending-changes';
import { type Apply, assertNothingPending, type Changed, makeChange, type Plan } from '../change-requests/proposals';
import { withPath } from '../request-faults';
import type { Services } from '../services';
import type { Authority } from '../user-actions/act';
import { type RegistryAddressView, registryAddressBody, registryAddressView } from './view';

type Parts = Pick<Services, 'db' | 'dispatcher'>;
type WithPending = WithPendingChange<RegistryAddressView, 'Alias'>;
type Page = {
  readonly network?: NetworkName | undefined;
  /**
   * The address in any spelling that `network` accepts. Without `network`, any spelling that at least one network accepts is
   * allowed.
   */
  readonly address?: string | undefined;
  readonly status: RegistryStatus;
  readonly after: string | undefined;
  readonly limit: number;
};
type Stored = AddressContent & { readonly status: RegistryStatus };

const notFound = (addressId: string) => new AppError('NotFound', 'registry entry not found', { addressId });
const isTaken = (network: string, address: string) =>
  new AppError('Conflict', 'the registry has an active entry of this address', { network, address });

/** Throws `InvalidAddress` with `path`. */
export function canonicalAddress(network: NetworkName, path: string, text: string): string {
  try {
    return codecOf(network).parseAddress(text);
  } catch (error) {
    throw withPath(path, error);
  }
}

/** Throws `NotFound`. */
export async function getRegistryAddress(reader: Reader, addressId: string): Promise<WithPending> {
  const [found] = await withPending(reader, [await present(reader, addressId)]);
  if (!found) throw notFound(addressId);
  return found;
}

/** Newest first. If there is a next page, returns one row more than `limit`. Throws `InvalidAddress`. */
export async function listRegistryAddresses(reader: Reader, { network, address, ...page }: Page): Promise<WithPending[]> {
  const addresses = address === undefined ? undefined : spellingsOf(address, network);
  return withPending(reader, await registryAddressStore.page(reader, { network, addresses, ...page }));
}

/**
 * The canonical form of the address on the network; without a network, the canonical forms on all networks that accept the
 * address. Throws `InvalidAddress` if no network accepts the address.
 */
export function spellingsOf(address: string, network: NetworkName | undefined): readonly string[] {
  const networks = network === undefined ? NETWORK_NAMES : [network];
  const found = networks.map((name) => {
    try {
      return canonicalAddress(name, 'query.address', address);
    } catch (error) {
      return error;
    }
  });
  const canonical = found.filter((one) => typeof one === 'string');
  if (canonical.length === 0) throw found[0];
  return [...new Set(canonical)];
}

const withPending = (reader: Reader, rows: readonly RegistryAddressEntity[]) =>
  withPendingChanges(reader, 'Alias', rows, registryAddressView);

/**
 * The address takes effect after its cooling period. Throws `InvalidAddress`, `ChangePending` and `PolicyBlocked`. Throws
 * `Conflict` for an address that an active entry already has.
 */
export function createRegistryAddress(
  services: Parts,
  authority: Authority,
  { name, network, address: given }: AddressContent,
): Promise<Changed<RegistryAddressView>> {
  const address = canonicalAddress(network, 'body.address', given);
  return makeChange(services, authority, async (tx) => {
    // The second of two concurrent requests for the same address waits here and then fails with `Conflict`.
    await organizationStore.lock(tx);
    if (await registryAddressStore.of(tx, { network, address })) throw isTaken(network, address);
    const subject = `${network}/${address}`;
    await assertNothingPending(tx, subject);
    const id = newId('registryAddress');
    const change: Stored = { name, network, address, status: 'Active' };
    return {
      proposal: {
        kind: 'Alias',
        operationKind: 'Create',
        entityId: id,
        subject,
        baseVersion: 0,
        before: null,
        change,
        body: registryAddressBody({ id, ...change }),
      },
      apply: applyToRegistryAddress,
      read: (inside) => shown(inside, id),
    };
  });
}

/**
 * A new address starts a new cooling period. Throws `NotFound`, `InvalidAddress`, `Conflict`, `ChangePending` and
 * `PolicyBlocked`. Throws `WrongState` for a deleted entry.
 */
export function updateRegistryAddress(
  services: Parts,
  authority: Authority,
  addressId: string,
  { name, address: given }: Pick<AddressContent, 'name' | 'address'>,
): Promise<Changed<RegistryAddressView>> {
  return makeChange(services, authority, async (tx) => {
    const row = await lockEntry(tx, addressId);
    if (row.status !== 'Active') throw new AppError('WrongState', 'registry entry is deleted', { addressId });
    const address = canonicalAddress(row.network, 'body.address', given);
    await assertNothingPending(tx, addressId);
    if (name === row.name && address === row.address) return { unchanged: registryAddressView(row) };
    await organizationStore.lock(tx);
    if (address !== row.address && (await registryAddressStore.of(tx, { network: row.network, address })))
      throw isTaken(row.network, address);
    return planOf(row, 'Update', { name, network: row.network, address, status: 'Active' });
  });
}

/**
 * Deletes an entry for good. Policies may still refer to the entry, but a deleted entry does not match any address. Idempotent.
 * Throws `NotFound`, `ChangePending`, and `PolicyBlocked`.
 */
export function deleteRegistryAddress(
  services: Parts,
  authority: Authority,
  addressId: string,
): Promise<Changed<RegistryAddressView>> {
  return makeChange(services, authority, async (tx) => {
    const row = await lockEntry(tx, addressId);
    if (row.status === 'Deleted') return { unchanged: registryAddressView(row) };
    await assertNothingPending(tx, addressId);
    return planOf(row, 'Delete', { ...contentOf(row), status: 'Deleted' });
  });
}

const contentOf = ({ name, network, address }: RegistryAddressEntity): AddressContent => ({ name, network, address });

function planOf(row: RegistryAddressEntity, operationKind: 'Update' | 'Delete', change: Stored): Plan<RegistryAddressView> {
  return {
    proposal: {
      kind: 'Alias',
      operationKind,
      entityId: row.id,
      subject: row.id,
      baseVersion: row.version,
      before: { ...contentOf(row), status: row.status },
      change,
      body: registryAddressBody({ ...row, ...change }),
    },
    apply: applyToRegistryAddress,
    read: (tx) => shown(tx, row.id),
  };
}

/** An existing entry must still have the version that the request was based on. */
export const applyToRegistryAddress: Apply = async (tx, { operationKind, entityId, baseVersion, change }) => {
  const { name, network, address, status } = change as Stored;
  if (operationKind === 'Create') {
    const { settings } = await organizationStore.lock(tx);
    const added = await registryAddressStore.add(tx, {
      ...{ id: entityId, name, network, address },
      dateActive: await cooledOff(tx, settings),
    });
    return added ? undefined : 'The registry now has an active entry of this address';
  }
  const row = await registryAddressStore.lock(tx, entityId);
  if (row?.status !== 'Active' || row.version !== baseVersion) return 'The entry has changed since this was requested';
  const { settings } = await organizationStore.lock(tx);
  const other = await registryAddressStore.of(tx, { network, address });
  if (status === 'Active' && other !== undefined && other.id !== row.id)
    return 'The registry now has an active entry of this address';
  const isElsewhere = address !== row.address;
  const redated = isElsewhere ? { dateActive: await cooledOff(tx, settings) } : {};
  await registryAddressStore.change(tx, row, { name, address, status, ...redated });
  // The change may remove an address from the list of a policy, so nothing may be signed under earlier verdicts.
  if (isElsewhere || status === 'Deleted') await organizationStore.bumpPolicyEpoch(tx);
  return undefined;
};

/** The end of the cooling period of an entry that is written now. */
async function cooledOff(tx: Tx, settings: Readonly<Record<string, unknown>>): Promise<Date> {
  const now = await tx.clock();
  return new Date(now.getTime() + hoursNow(settings, 'registryCoolingHours', now) * HOUR_MS);
}

async function present(reader: Reader, addressId: string): Promise<RegistryAddressEntity> {
  const row = isId('registryAddress', addressId) ? await registryAddressStore.find(reader, addressId) : undefined;
  if (!row) throw notFound(addressId);
  return row;
}

const shown = async (reader: Reader, addressId: string): Promise<RegistryAddressView> =>
  registryAddressView(await present(reader, addressId));

async function lockEntry(tx: Tx, addressId: string): Promise<RegistryAddressEntity> {
  const row = isId('registryAddress', addressId) ? await registryAddressStore.lock(tx, addressId) : undefined;
  if (!row) throw notFound(addressId);
  return row;
}
