import type { Reader } from '../../entities/database';
import { registryAddressStore } from '../../entities/registry/registry-address.store';

/** The addresses of the entries that are in effect on this network now. Entries of other networks match no address here. */
export async function listedAddresses(
  reader: Reader,
  ids: readonly string[],
  network: string,
): Promise<Readonly<Record<string, string>>> {
  const rows = ids.length === 0 ? [] : await registryAddressStore.listed(reader, ids, network);
  return Object.fromEntries(rows.map(({ id, address }) => [id, address]));
}
