import type { Reader } from '../../entities/database';
import { registryAddressStore } from '../../entities/registry/registry-address.store';

/** The addresses of entries that are in effect on this network now; an entry of another network lists no one here. */
export async function listedAddresses(
  reader: Reader,
  ids: readonly string[],
  network: string,
): Promise<Readonly<Record<string, string>>> {
  const rows = ids.length === 0 ? [] : await registryAddressStore.listed(reader, ids, network);
  return Object.fromEntries(rows.map(({ id, address }) => [id, address]));
}
