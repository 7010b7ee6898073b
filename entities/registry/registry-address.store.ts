import type { NetworkName } from '../../domain/networks';
import type { AddressContent, RegistryStatus } from '../../domain/registry';
import type { Reader, Tx } from '../database';
import { RegistryAddressEntity } from './registry-address.entity';

export type RegistryAddressPage = {
  readonly network?: NetworkName | undefined;
  /** Canonical forms of one address; any of these forms may match. */
  readonly addresses: readonly string[] | undefined;
  readonly status: RegistryStatus;
  readonly after: string | undefined;
  readonly limit: number;
};

export const registryAddressStore = {
  /** Returns false if an active entry already has this address. */
  async add(tx: Tx, entry: AddressContent & Pick<RegistryAddressEntity, 'id' | 'dateActive'>): Promise<boolean> {
    return tx.insertOnce(RegistryAddressEntity, { orgId: tx.orgId, status: 'Active', version: 1, ...entry });
  },

  async find(reader: Reader, id: string): Promise<RegistryAddressEntity | undefined> {
    return reader.row(RegistryAddressEntity, 'WHERE t.id = $1', [id]);
  },

  async lock(tx: Tx, id: string): Promise<RegistryAddressEntity | undefined> {
    return tx.row(RegistryAddressEntity, 'WHERE t.id = $1 FOR UPDATE', [id]);
  },

  async of(
    reader: Reader,
    { network, address }: Pick<AddressContent, 'network' | 'address'>,
  ): Promise<RegistryAddressEntity | undefined> {
    return reader.row(RegistryAddressEntity, `WHERE t.network = $1 AND t.address = $2 AND t.status = 'Active'`, [
      network,
      address,
    ]);
  },

  /** Newest first, plus one row if there is a next page. */
  async page(
    reader: Reader,
    { network, addresses, status, after, limit }: RegistryAddressPage,
  ): Promise<RegistryAddressEntity[]> {
    return reader.rows(
      RegistryAddressEntity,
      `WHERE t.status = $1 AND ($2::text IS NULL OR t.network = $2) AND ($3::text[] IS NULL OR t.address = ANY($3))
         AND ($4::text IS NULL OR t.id < $4) ORDER BY t.id DESC LIMIT $5`,
      [status, network ?? null, addresses ?? null, after ?? null, limit + 1],
    );
  },

  /** Changes the entry and raises the version. */
  async change(
    tx: Tx,
    { id, version }: RegistryAddressEntity,
    set: Partial<Pick<RegistryAddressEntity, 'name' | 'address' | 'status' | 'dateActive'>>,
  ): Promise<void> {
    await tx.update(RegistryAddressEntity, { id }, { ...set, version: version + 1, dateUpdated: await tx.clock() });
  },

  /** Only entries that are in effect now. */
  async listed(
    reader: Reader,
    ids: readonly string[],
    network: string,
  ): Promise<Pick<RegistryAddressEntity, 'id' | 'address'>[]> {
    return reader.select(
      `SELECT id, address FROM registry_addresses
       WHERE id = ANY($1) AND network = $2 AND status = 'Active' AND date_active <= clock_timestamp()`,
      [ids, network],
    );
  },

  /** Those ids for which there is no active entry. */
  async unknown(reader: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await reader.select<{ id: string }>(
      `SELECT id FROM registry_addresses WHERE id = ANY($1) AND status = 'Active'`,
      [ids],
    );
    const known = new Set(rows.map(({ id }) => id));
    return new Set(ids.filter((id) => !known.has(id)));
  },
};
