import type { AddressWatchStatus } from '../../domain/address-watches';
import type { Reader, Tx } from '../database';
import type { SqlValue } from '../read-message';
import { AddressWatchEntity } from './address-watch.entity';

export type NewAddressWatch = Omit<AddressWatchEntity, 'orgId' | 'status' | 'dateCreated' | 'dateDeleted'>;

export type AddressWatchFilter = {
  readonly network?: string | undefined;
  /** The address in any of these spellings. */
  readonly addresses?: readonly string[] | undefined;
  readonly externalId?: string | undefined;
  readonly status?: AddressWatchStatus | undefined;
  readonly tags?: readonly string[] | undefined;
  /** The page begins after this id. */
  readonly after?: string | undefined;
};

/** Each function that changes a watch also changes its row in `watched_addresses`, in the same transaction. */
export const addressWatchStore = {
  /** Returns false if the organisation already has a watch with this address or this external id. */
  async add(tx: Tx, watch: NewAddressWatch): Promise<boolean> {
    const isNew = await tx.insertOnce(AddressWatchEntity, { orgId: tx.orgId, status: 'Active', ...watch });
    if (isNew) {
      await tx.run(
        `INSERT INTO watched_addresses (org_id, subject_id, subject_kind, network, address)
         VALUES ($1, $2, 'AddressWatch', $3, $4)`,
        [tx.orgId, watch.id, watch.network, watch.address],
      );
    }
    return isNew;
  },

  find: (reader: Reader, id: string): Promise<AddressWatchEntity | undefined> =>
    reader.row(AddressWatchEntity, 'WHERE t.id = $1', [id]),

  activeAmong: (reader: Reader, ids: readonly string[]): Promise<AddressWatchEntity[]> =>
    reader.rows(AddressWatchEntity, `WHERE t.id = ANY($1) AND t.status = 'Active'`, [ids]),

  findByExternalId: (reader: Reader, externalId: string): Promise<AddressWatchEntity | undefined> =>
    reader.row(AddressWatchEntity, 'WHERE t.external_id = $1', [externalId]),

  lock: (tx: Tx, id: string): Promise<AddressWatchEntity | undefined> =>
    tx.row(AddressWatchEntity, 'WHERE t.id = $1 FOR UPDATE', [id]),

  lockByAddress: (tx: Tx, network: string, address: string): Promise<AddressWatchEntity | undefined> =>
    tx.row(AddressWatchEntity, 'WHERE t.network = $1 AND t.address = $2 FOR UPDATE', [network, address]),

  /** Afterwards, blocks are no longer searched for the address. */
  async archive(tx: Tx, id: string): Promise<void> {
    await tx.run(
      `UPDATE address_watches SET status = 'Archived', date_deleted = clock_timestamp() WHERE id = $1 AND status = 'Active'`,
      [id],
    );
    await tx.run('UPDATE watched_addresses SET is_active = false WHERE subject_id = $1', [id]);
  },

  /** Fails with Postgres' `23505` if the external id is taken. */
  async revive(
    tx: Tx,
    id: string,
    set: Pick<NewAddressWatch, 'requestDigest'> & Partial<Pick<NewAddressWatch, 'name' | 'externalId' | 'tags'>>,
  ): Promise<void> {
    await tx.update(AddressWatchEntity, { id, status: 'Archived' }, { ...set, status: 'Active', dateDeleted: null });
    await tx.run('UPDATE watched_addresses SET is_active = true WHERE subject_id = $1', [id]);
  },

  /** Newest first, at most `rowsMax`. */
  list(reader: Reader, filter: AddressWatchFilter, rowsMax: number): Promise<AddressWatchEntity[]> {
    const values: SqlValue[] = [];
    const place = (value: SqlValue) => `$${values.push(value)}`;
    const conditions = ['true'];
    if (filter.network !== undefined) conditions.push(`t.network = ${place(filter.network)}`);
    if (filter.addresses !== undefined) conditions.push(`t.address = ANY(${place(filter.addresses)})`);
    if (filter.externalId !== undefined) conditions.push(`t.external_id = ${place(filter.externalId)}`);
    if (filter.status !== undefined) conditions.push(`t.status = ${place(filter.status)}`);
    if (filter.tags !== undefined) conditions.push(`t.tags @> ${place(filter.tags)}::text[]`);
    if (filter.after !== undefined) conditions.push(`t.id < ${place(filter.after)}`);
    return reader.rows(
      AddressWatchEntity,
      `WHERE ${conditions.join(' AND ')} ORDER BY t.id DESC LIMIT ${place(rowsMax)}`,
      values,
    );
  },
};
