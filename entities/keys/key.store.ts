import { invariant } from '../../domain/errors';
import type { Reader, Tx } from '../database';
import { DataKeyEntity } from './data-key.entity';
import { KeyEntity } from './key.entity';
import { SEALED_COLUMNS, type SealedKey, type SealedRow, sealedOf, type WrappedDataKey, wrappedOf } from './sealed-rows';

export type { SealedKey, WrappedDataKey };
/** A key that is ready to become active. `secret` is null for a key of an offline store. */
export type MadeKey = { readonly keyId: string; readonly publicKeyHex: string; readonly secret: KeyMaterial | null };
export type KeyMaterial = { readonly sealed: SealedKey; readonly dek: WrappedDataKey };

export const keyStore = {
  async find(reader: Reader, keyId: string): Promise<KeyEntity | undefined> {
    return reader.row(KeyEntity, 'WHERE t.id = $1', [keyId]);
  },

  async ofWallet(reader: Reader, walletId: string): Promise<KeyEntity | undefined> {
    return reader.row(KeyEntity, 'JOIN wallets w ON w.org_id = t.org_id AND w.key_id = t.id WHERE w.id = $1', [walletId]);
  },

  async findMany(reader: Reader, keyIds: readonly string[]): Promise<KeyEntity[]> {
    return keyIds.length === 0 ? [] : reader.rows(KeyEntity, 'WHERE t.id = ANY($1)', [keyIds]);
  },

  /** True if the user is the holder of a key, even of a key that is still being created. */
  async isHolder(reader: Reader, userId: string): Promise<boolean> {
    return (await reader.row(KeyEntity, 'WHERE t.delegated_to = $1 LIMIT 1', [userId])) !== undefined;
  },

  /** The data key that seals new keys of the organisation. */
  async presentDataKey(reader: Reader): Promise<WrappedDataKey | undefined> {
    const row = await reader.row(DataKeyEntity, `WHERE t.state = 'Active' ORDER BY t.date_created DESC, t.id DESC LIMIT 1`);
    return row && wrappedOf(row);
  },

  /** The key must be active. */
  async forSigning(reader: Reader, keyId: string): Promise<KeyMaterial> {
    return materialWhere(reader, keyId, `k.id = $1 AND k.status = 'Active'`);
  },

  /** The key need not be allowed to sign. */
  async material(reader: Reader, keyId: string): Promise<KeyMaterial> {
    return materialWhere(reader, keyId, 'k.id = $1');
  },

  async materialOfWallet(reader: Reader, walletId: string): Promise<KeyMaterial> {
    return materialWhere(reader, walletId, 'k.id = (SELECT w.key_id FROM wallets w WHERE w.id = $1)');
  },

  /** Makes a key that is being created active. Returns whether this call changed the row. */
  async activate(tx: Tx, { keyId, publicKeyHex: publicKey, secret }: MadeKey): Promise<boolean> {
    const set = { status: 'Active', publicKey, ...(secret ? await keptSecret(tx, secret) : {}) } as const;
    return (await tx.update(KeyEntity, { id: keyId, status: 'Creating' }, set)) === 1;
  },
};

async function keptSecret(tx: Tx, { sealed, dek }: KeyMaterial): Promise<Pick<KeyEntity, 'dataKeyId' | 'sealed'>> {
  await tx.insertOnce(DataKeyEntity, {
    orgId: tx.orgId,
    id: dek.dekId,
    kekId: dek.kekId,
    state: 'Active',
    wrapped: dek.wrappedHex,
    commitment: dek.commitHex,
  });
  return { dataKeyId: sealed.dekId, sealed: sealed.ciphertextHex };
}

async function materialWhere(reader: Reader, id: string, condition: string): Promise<KeyMaterial> {
  const [row] = await reader.select<SealedRow>(
    `SELECT ${SEALED_COLUMNS} FROM keys k JOIN data_keys d ON d.org_id = k.org_id AND d.id = k.data_key_id
     WHERE ${condition} AND k.sealed IS NOT NULL AND k.public_key IS NOT NULL`,
    [id],
  );
  invariant(row, `the key of ${id} can sign`);
  return sealedOf(row);
}
