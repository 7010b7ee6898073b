import { invariant } from '../../domain/errors';
import type { Reader, Tx } from '../database';
import type { KeyEntity } from '../keys/key.entity';
import { keyStore } from '../keys/key.store';
import type { NewKey } from '../keys/key-record.store';
import { PLAN_FOR_VALUES, type SqlValue } from '../read-message';
import { WalletEntity } from './wallet.entity';
import { WalletAttestationEntity } from './wallet-attestation.entity';
import { WalletMetadataEntity } from './wallet-metadata.entity';
import { WalletTagEntity } from './wallet-tag.entity';

export type WalletMetadata = Readonly<Record<string, string>>;

/** The tags are sorted. */
export type WalletRecord = {
  readonly wallet: WalletEntity;
  readonly key: KeyEntity;
  readonly tags: readonly string[];
  readonly metadata: WalletMetadata;
};

export type WalletAccess = { readonly status: WalletEntity['status']; readonly delegatedTo: string | null };

export type WalletFilter = {
  /** The key of the wallet is delegated to this user. */
  readonly delegatedTo?: string | undefined;
  readonly network?: string | undefined;
  readonly externalId?: string | undefined;
  readonly status?: string | undefined;
  /** The wallet has all of these tags. */
  readonly tags?: readonly string[] | undefined;
  /** The wallet has all of these members. */
  readonly metadata?: readonly (readonly [key: string, value: string])[] | undefined;
  /** The symbol of an asset that the wallet holds, or `Any`. Only balances that were read are taken into account. */
  readonly holds?: { readonly symbol: string } | 'Any' | undefined;
  /** The page begins after this id. */
  readonly after?: string | undefined;
};

export type NewWallet = Pick<
  WalletEntity,
  'id' | 'network' | 'keyId' | 'name' | 'externalId' | 'requestDigest' | 'createdBy' | 'amendingActionId'
>;

const COUNTED_MAX = 1_000;
const COLUMNS = { wallet_tags: ['tag'], wallet_metadata: ['key', 'value'] } as const;

/**
 * Sorts the wanted tags or members, rarest first. Postgres searches by the first one, and checks the others for each wallet that
 * it finds.
 */
async function rarestFirst<T extends readonly string[]>(
  reader: Reader,
  table: keyof typeof COLUMNS,
  wanted: readonly T[],
): Promise<readonly T[]> {
  if (wanted.length < 2) return wanted;
  const columns = COLUMNS[table];
  const is = columns.map((column) => `s.${column} = w.${column}`).join(' AND ');
  const counts = await reader.select<{ count: number }>(
    `SELECT (SELECT count(*)::int FROM (SELECT FROM ${table} s WHERE ${is} LIMIT ${COUNTED_MAX}) found) AS count
     FROM unnest(${columns.map((_, at) => `$${at + 1}::text[]`).join(', ')}) WITH ORDINALITY AS w (${columns.join(', ')}, place)
     ORDER BY place`,
    columns.map((_, at) => wanted.map((one) => one[at] ?? '')),
  );
  const countOf = (one: T) => counts[wanted.indexOf(one)]?.count ?? COUNTED_MAX;
  return [...wanted].sort((a, b) => countOf(a) - countOf(b));
}

/**
 * The statement text depends only on those filters that have an index, because a connection caches each statement, and callers
 * choose the filters.
 */
function listQuestion(filter: WalletFilter, rowsMax: number): { readonly tail: string; readonly values: readonly SqlValue[] } {
  const { after = AFTER_ALL_IDS, status, tags = [], metadata = [] } = filter;
  const values: SqlValue[] = [after, status === undefined ? COMPLETE : [status], rowsMax];
  const place = (value: SqlValue) => `$${values.push(value)}`;
  const conditions = ['t.id < $1', 't.status = ANY($2)'];
  if (filter.network !== undefined) conditions.push(`t.network = ${place(filter.network)}`);
  if (filter.externalId !== undefined) conditions.push(`t.external_id = ${place(filter.externalId)}`);
  if (filter.delegatedTo !== undefined) {
    const user = place(filter.delegatedTo);
    conditions.push(`EXISTS (SELECT FROM keys k WHERE k.org_id = t.org_id AND k.id = t.key_id AND k.delegated_to = ${user})`);
  }
  const from = (table: string) => `FROM ${table} s WHERE s.org_id = t.org_id AND s.wallet_id = t.id AND s.wallet_id < $1`;
  const [tag] = tags;
  if (tag !== undefined) {
    const of = from('wallet_tags');
    conditions.push(`EXISTS (SELECT ${of} AND s.tag = ${place(tag)})`);
    if (tags.length > 1) conditions.push(`${place(tags)} <@ ARRAY(SELECT s.tag ${of})`);
  }
  const [member] = metadata;
  if (member !== undefined) {
    const of = from('wallet_metadata');
    conditions.push(`EXISTS (SELECT ${of} AND s.key = ${place(member[0])} AND s.value = ${place(member[1])})`);
    const all = metadata.map(([key, value]) => `${key}:${value}`);
    if (all.length > 1) conditions.push(`${place(all)} <@ ARRAY(SELECT s.key || ':' || s.value ${of})`);
  }
  if (filter.holds !== undefined) {
    const isAsset = filter.holds === 'Any' ? '' : ` AND s.symbol = ${place(filter.holds.symbol)}`;
    conditions.push(`EXISTS (SELECT ${from('holdings')} AND s.units > 0${isAsset})`);
  }
  return { tail: `WHERE ${conditions.join(' AND ')} ORDER BY t.id DESC LIMIT $3`, values };
}

/** This text sorts after every wallet id, because a wallet id begins with `wa-` and contains no tilde. */
const AFTER_ALL_IDS = 'wa-~';
const COMPLETE = ['Active', 'Inactive', 'Archived'] as const satisfies readonly WalletEntity['status'][];

export const walletStore = {
  /** Finds a wallet in any state, even before it is complete. */
  async find(reader: Reader, walletId: string): Promise<WalletRecord | undefined> {
    const [wallet, key, tags, metadata] = await Promise.all([
      reader.row(WalletEntity, 'WHERE t.id = $1', [walletId]),
      keyStore.ofWallet(reader, walletId),
      tagsOf(reader, [walletId]),
      metadataOf(reader, [walletId]),
    ]);
    return wallet && key && { wallet, key, tags: tags.map(({ tag }) => tag), metadata: membersOf(metadata) };
  },

  /** Finds wallets in any state. A wallet that the organisation does not have is left out. */
  async findMany(reader: Reader, walletIds: readonly string[]): Promise<WalletRecord[]> {
    return completed(reader, await reader.rows(WalletEntity, 'WHERE t.id = ANY($1)', [walletIds]));
  },

  /** These facts decide whether a caller may see the wallet. */
  async access(reader: Reader, walletId: string): Promise<WalletAccess | undefined> {
    const [row] = await reader.select<WalletAccess>(
      `SELECT w.status, k.delegated_to AS "delegatedTo" FROM wallets w JOIN keys k ON k.org_id = w.org_id AND k.id = w.key_id
       WHERE w.id = $1`,
      [walletId],
    );
    return row;
  },

  async countWithKeys(reader: Reader, walletIds: readonly string[]): Promise<number> {
    const [counted] = await reader.select<{ wallets: number }>(
      `SELECT count(*)::int AS wallets FROM wallets w JOIN keys k ON k.org_id = w.org_id AND k.id = w.key_id WHERE w.id = ANY($1)`,
      [walletIds],
    );
    invariant(counted, 'a count has one row');
    return counted.wallets;
  },

  async findByExternalId(reader: Reader, externalId: string): Promise<WalletEntity | undefined> {
    return reader.row(WalletEntity, 'WHERE t.external_id = $1', [externalId]);
  },

  async findByKey(reader: Reader, keyId: string, network: string): Promise<WalletEntity | undefined> {
    return reader.row(WalletEntity, 'WHERE t.key_id = $1 AND t.network = $2', [keyId, network]);
  },

  async findByAddress(reader: Reader, network: string, address: string): Promise<WalletRecord | undefined> {
    const wallet = await reader.row(WalletEntity, 'WHERE t.network = $1 AND t.address = $2', [network, address]);
    return wallet && walletStore.find(reader, wallet.id);
  },

  /** Complete wallets, oldest first. */
  async ofKey(reader: Reader, keyId: string): Promise<WalletRecord[]> {
    return completed(
      reader,
      await reader.rows(WalletEntity, `WHERE t.key_id = $1 AND t.status <> 'Creating' ORDER BY t.id`, [keyId]),
    );
  },

  async archiveOfKey(tx: Tx, keyId: string, dateDeleted: Date): Promise<void> {
    await tx.query(
      `UPDATE wallets SET status = 'Archived', date_deleted = $2, version = version + 1 WHERE key_id = $1 AND status <> 'Archived'`,
      [keyId, dateDeleted],
    );
  },

  /** Raises the versions of the key's wallets, because a change of the key changes how the API shows these wallets. */
  async touchOfKey(tx: Tx, keyId: string): Promise<void> {
    await tx.query(`UPDATE wallets SET version = version + 1 WHERE key_id = $1`, [keyId]);
  },

  /** The lock makes changes to the wallet run one after another. */
  async lock(tx: Tx, walletId: string): Promise<WalletRecord | undefined> {
    const wallet = await tx.row(WalletEntity, 'WHERE t.id = $1 FOR UPDATE', [walletId]);
    return wallet && (await completed(tx, [wallet]))[0];
  },

  /** Complete wallets, newest first. */
  async list(reader: Reader, filter: WalletFilter, rowsMax: number): Promise<WalletRecord[]> {
    const [tags, metadata] = await Promise.all([
      rarestFirst(
        reader,
        'wallet_tags',
        (filter.tags ?? []).map((tag) => [tag]),
      ),
      rarestFirst(reader, 'wallet_metadata', filter.metadata ?? []),
    ]);
    const { tail, values } = listQuestion({ ...filter, tags: tags.flat(), metadata }, rowsMax);
    // A tag can belong to every wallet or to none, and a generic plan for any tag would read all wallets.
    const [, found] = await Promise.all([reader.select(PLAN_FOR_VALUES), reader.rows(WalletEntity, tail, values)]);
    return completed(reader, found);
  },

  /**
   * Adds a wallet and a key that are still incomplete. Returns false if the external id is taken. One statement writes both,
   * because no key may remain if another wallet has taken the external id.
   */
  async insertWithKey(tx: Tx, wallet: NewWallet, key: NewKey): Promise<boolean> {
    const written = await tx.query<{ id: string }>(
      `WITH wallet AS (
         INSERT INTO wallets (org_id, id, network, key_id, status, name, external_id, request_digest, created_by,
           amending_action_id)
         VALUES ($1, $2, $3, $4, 'Creating', $5, $6, $7, $8, $19)
         ON CONFLICT DO NOTHING RETURNING org_id, key_id
       )
       INSERT INTO keys (org_id, id, status, scheme, curve, delegated_to, is_master, derived_from, derivation_path,
         may_be_delegated, store_id, name, created_by, asking_action_id)
       SELECT org_id, key_id, 'Creating', $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $20 FROM wallet RETURNING id`,
      [
        ...[tx.orgId, wallet.id, wallet.network, key.id, wallet.name, wallet.externalId],
        ...[wallet.requestDigest, wallet.createdBy, key.scheme, key.curve, key.delegatedTo, key.isMaster],
        ...[key.derivedFrom, key.derivationPath, key.mayBeDelegated, key.storeId, key.name, key.createdBy],
        ...[wallet.amendingActionId, key.askingActionId ?? null],
      ],
    );
    return written.length === 1;
  },

  /** Adds a complete wallet. Returns false if the external id is taken or the key already has a wallet on the network. */
  async insertActive(tx: Tx, wallet: NewWallet, address: string | null): Promise<boolean> {
    const isNew = await tx.insertOnce(WalletEntity, { orgId: tx.orgId, ...wallet, status: 'Active', address });
    if (isNew) await watch(tx, wallet.id);
    return isNew;
  },

  /** Returns whether this call made the wallet active. */
  async activate(tx: Tx, walletId: string, address: string | null): Promise<boolean> {
    const isNew = (await tx.update(WalletEntity, { id: walletId, status: 'Creating' }, { status: 'Active', address })) === 1;
    if (isNew) await watch(tx, walletId);
    return isNew;
  },

  /** Changes the wallet and raises the version. Fails with Postgres' `23505` if the external id is taken. */
  async change(tx: Tx, walletId: string, set: Partial<Pick<WalletEntity, 'name' | 'externalId'>>): Promise<void> {
    await tx.query('UPDATE wallets SET version = version + 1 WHERE id = $1', [walletId]);
    if (Object.keys(set).length > 0) await tx.update(WalletEntity, { id: walletId }, set);
  },

  /** The wallets of the keys from which this key was derived. */
  onParentKeys: (tx: Tx, keyId: string): Promise<Pick<WalletEntity, 'id'>[]> =>
    tx.query(
      `WITH RECURSIVE parents (id) AS (
         SELECT derived_from FROM keys WHERE org_id = $1 AND id = $2
         UNION SELECT k.derived_from FROM keys k JOIN parents p ON k.id = p.id WHERE k.org_id = $1
       )
       SELECT w.id FROM wallets w JOIN parents p ON p.id = w.key_id WHERE w.org_id = $1 ORDER BY w.id`,
      [tx.orgId, keyId],
    ),

  attestation: (reader: Reader, walletId: string): Promise<WalletAttestationEntity | undefined> =>
    reader.row(WalletAttestationEntity, 'WHERE t.wallet_id = $1', [walletId]),

  /** Keeps an existing attestation. */
  addAttestation: (tx: Tx, attested: Omit<WalletAttestationEntity, 'orgId'>): Promise<void> =>
    tx.ensure(WalletAttestationEntity, { orgId: tx.orgId, ...attested }),

  async addTags(tx: Tx, walletId: string, tags: readonly string[]): Promise<void> {
    if (tags.length === 0) return;
    const rows = tags.map((tag) => ({ orgId: tx.orgId, walletId, tag }));
    await tx.insert(WalletTagEntity, rows);
  },

  async removeTags(tx: Tx, walletId: string, tags: readonly string[]): Promise<void> {
    await tx.query('DELETE FROM wallet_tags WHERE wallet_id = $1 AND tag = ANY($2)', [walletId, tags]);
  },

  async addMetadata(tx: Tx, walletId: string, metadata: WalletMetadata): Promise<void> {
    const rows = Object.entries(metadata).map(([key, value]) => ({ orgId: tx.orgId, walletId, key, value }));
    if (rows.length > 0) await tx.insert(WalletMetadataEntity, rows);
  },

  /** The caller has locked the wallet. */
  async replaceMetadata(tx: Tx, walletId: string, metadata: WalletMetadata): Promise<void> {
    await tx.remove(WalletMetadataEntity, { walletId });
    await walletStore.addMetadata(tx, walletId, metadata);
  },
};

/** Must be called before any caller can see the address, so that blocks are searched for every address that is shown. */
const watch = (tx: Tx, walletId: string): Promise<void> =>
  tx.run(
    `INSERT INTO watched_addresses (org_id, subject_id, subject_kind, network, address)
     SELECT org_id, id, 'Wallet', network, address FROM wallets WHERE org_id = $1 AND id = $2 AND address IS NOT NULL`,
    [tx.orgId, walletId],
  );

const tagsOf = (reader: Reader, ids: readonly string[]): Promise<WalletTagEntity[]> =>
  reader.rows(WalletTagEntity, 'WHERE t.wallet_id = ANY($1) ORDER BY t.tag', [ids]);

const metadataOf = (reader: Reader, ids: readonly string[]): Promise<WalletMetadataEntity[]> =>
  reader.rows(WalletMetadataEntity, 'WHERE t.wallet_id = ANY($1) ORDER BY t.key', [ids]);

const membersOf = (rows: readonly WalletMetadataEntity[]): WalletMetadata =>
  Object.fromEntries(rows.map(({ key, value }) => [key, value]));

async function completed(reader: Reader, wallets: readonly WalletEntity[]): Promise<WalletRecord[]> {
  if (wallets.length === 0) return [];
  const ids = wallets.map(({ id }) => id);
  const [keyRows, tagRows, metadataRows] = await Promise.all([
    keyStore.findMany(reader, [...new Set(wallets.map(({ keyId }) => keyId))]),
    tagsOf(reader, ids),
    metadataOf(reader, ids),
  ]);
  const keys = new Map(keyRows.map((key) => [key.id, key]));
  const tags = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { walletId, tag } of tagRows) tags.get(walletId)?.push(tag);
  const metadata = new Map<string, WalletMetadataEntity[]>(ids.map((id) => [id, []]));
  for (const row of metadataRows) metadata.get(row.walletId)?.push(row);
  return wallets.flatMap((wallet) => {
    const key = keys.get(wallet.keyId);
    const { id } = wallet;
    return key ? [{ wallet, key, tags: tags.get(id) ?? [], metadata: membersOf(metadata.get(id) ?? []) }] : [];
  });
}
