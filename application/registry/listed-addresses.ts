import type { Reader } from '../../entities/database';
import { registryAddressStore } from '../../entities/registry/registry-address.store';

/** Addresses by the id of their entry. Includes only entries of this network that are in effect now. */
export async function listedAddresses(
  reader: Reader,
  ids: readonly string[],
  network: string,
): Promise<Readonly<Record<string, string>>> {
  const rows = ids.length === 0 ? [] : await registryAddressStore.listed(reader, ids, network);
  return Object.fromEntries(rows.map(({ id, address }) => [id, address]));
}
