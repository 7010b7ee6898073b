import type { Reader } from '../../entities/database';
import { registryAddressStore } from '../../entities/registry/registry-address.store';

/**
 * The address of each of these registry entries that is in effect on this network now, by the entry's id. Entries of other
 * networks are left out.
 */
export async function listedAddresses(
  reader: Reader,
  ids: readonly string[],
  network: string,
): Promise<Readonly<Record<string, string>>> {
  const rows = ids.length === 0 ? [] : await registryAddressStore.listed(reader, ids, network);
  return Object.fromEntries(rows.map(({ id, address }) => [id, address]));
}
