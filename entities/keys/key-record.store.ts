import type { Reader, Tx } from '../database';
import { DataKeyEntity } from './data-key.entity';
import { KeyEntity } from './key.entity';
import type { SealedKey, WrappedDataKey } from './key.store';

/** The signer provides the other facts about the key. */
export type NewKey = Pick<KeyEntity, 'id' | 'scheme' | 'curve'> &
  Pick<KeyEntity, 'delegatedTo' | 'isMaster' | 'derivedFrom' | 'derivationPath' | 'mayBeDelegated'> &
  Pick<KeyEntity, 'storeId' | 'name' | 'createdBy'> &
  Partial<Pick<KeyEntity, 'askingActionId'>>;

type Page = { readonly delegatedTo: string | undefined; readonly after: string | undefined; readonly rowsMax: number };
type Change = Partial<Pick<KeyEntity, 'name' | 'delegatedTo' | 'status' | 'dateDeleted' | 'dateExported'>>;

/**
 * Two public keys are compared by their last hex digits, and this is the number of these digits. On secp256k1 the digits are the
 * x coordinate, which the compressed key and the x-only key (BIP 340) have in common. On the other curves the digits are the
 * whole key.
 */
const COORDINATE_CHARS = 64;
/** SQL: the two keys have the same secret, whatever their signature schemes. The signer applies the same rule. */
export const isSameKey = (one: string, other: string): string =>
  `(${one}.curve = ${other}.curve AND right(${one}.public_key, ${COORDINATE_CHARS}) = right(${other}.public_key, ${COORDINATE_CHARS}))`;

/**
 * This store reads and writes the rows of keys. `keyStore` reads and writes the sealed values that the service exchanges with the
 * signer.
 */
export const keyRecordStore = {
  /** The lock makes changes to the key, and derivations from the key, run one after another. */
  async lock(tx: Tx, keyId: string): Promise<KeyEntity | undefined> {
    return tx.row(KeyEntity, 'WHERE t.id = $1 FOR UPDATE', [keyId]);
  },

  /** Omits keys in creation; newest first. */
  async list(reader: Reader, { delegatedTo, after, rowsMax }: Page): Promise<KeyEntity[]> {
    return reader.rows(
      KeyEntity,
      `WHERE t.status <> 'Creating' AND ($1::text IS NULL OR t.delegated_to = $1) AND ($2::text IS NULL OR t.id < $2 COLLATE "C")
       ORDER BY t.id DESC LIMIT $3`,
      [delegatedTo ?? null, after ?? null, rowsMax],
    );
  },

  /** Returns the derived keys in any state, and locks these keys until the transaction ends. */
  async lockChildren(tx: Tx, keyId: string): Promise<KeyEntity[]> {
    return tx.rows(KeyEntity, 'WHERE t.derived_from = $1 ORDER BY t.id FOR UPDATE', [keyId]);
  },

  /**
   * Keys with the same public key as this key, and the keys that were derived from any key with this public key. Returned in
   * any state, and locked until the transaction ends.
   */
  async lockKin(tx: Tx, keyId: string): Promise<KeyEntity[]> {
    return tx.rows(
      KeyEntity,
      `WHERE t.id <> $1 AND EXISTS (SELECT FROM keys k LEFT JOIN keys m ON m.org_id = k.org_id AND m.id = t.derived_from
         WHERE k.org_id = t.org_id AND k.id = $1 AND (m.id = k.id OR ${isSameKey('t', 'k')} OR ${isSameKey('m', 'k')}))
       ORDER BY t.id FOR UPDATE`,
      [keyId],
    );
  },

  async childAt(reader: Reader, keyId: string, path: string): Promise<KeyEntity | undefined> {
    return reader.row(KeyEntity, 'WHERE t.derived_from = $1 AND t.derivation_path = $2', [keyId, path]);
  },

  /**
   * Returns a free index for a hardened child path of this master key: the lowest free index that is at least the number of
   * children. The search tries one index more than there are children, so at least one of these indexes is free. The caller has
   * locked the master key.
   */
  async freeChildIndex(tx: Tx, keyId: string): Promise<number> {
    const [row] = await tx.query<{ index: number }>(
      `WITH children AS (SELECT count(*)::int AS n FROM keys WHERE derived_from = $1)
       SELECT i AS index FROM children, generate_series(children.n, 2 * children.n) AS i
       WHERE NOT EXISTS (SELECT FROM keys k WHERE k.derived_from = $1 AND k.derivation_path = 'm/' || i || '''')
       ORDER BY i LIMIT 1`,
      [keyId],
    );
    return row?.index ?? 0;
  },

  async findByPublicKey(
    reader: Reader,
    { scheme, curve, publicKey }: Pick<KeyEntity, 'scheme' | 'curve'> & { publicKey: string },
  ) {
    return reader.row(KeyEntity, 'WHERE t.scheme = $1 AND t.curve = $2 AND t.public_key = $3', [scheme, curve, publicKey]);
  },

  async insert(tx: Tx, key: NewKey): Promise<void> {
    await tx.insert(KeyEntity, { orgId: tx.orgId, ...key, status: 'Creating' });
  },

  /** Returns false if the organisation already has a key with this public key. */
  async insertImported(tx: Tx, key: NewKey, sealed: SealedKey, dek: WrappedDataKey): Promise<boolean> {
    const { orgId, dekId: id, kekId, wrappedHex: wrapped, commitHex: commitment } = dek;
    await tx.insertOnce(DataKeyEntity, { orgId, id, kekId, state: 'Active', wrapped, commitment });
    return tx.insertOnce(KeyEntity, {
      orgId: tx.orgId,
      ...key,
      status: 'Active',
      isImported: true,
      publicKey: sealed.publicKeyHex,
      dataKeyId: sealed.dekId,
      sealed: sealed.ciphertextHex,
    });
  },

  /** Changes the key and raises the version. */
  async change(tx: Tx, keyId: string, set: Change): Promise<void> {
    await tx.query('UPDATE keys SET version = version + 1 WHERE id = $1', [keyId]);
    if (Object.keys(set).length > 0) await tx.update(KeyEntity, { id: keyId }, set);
  },
};
