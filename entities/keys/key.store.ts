import { invariant } from '../../domain/errors';
import type { KeyCurve, KeyScheme } from '../../domain/keys';
import type { Reader, Tx } from '../database';
import { DataKeyEntity } from './data-key.entity';
import { KeyEntity } from './key.entity';

/** A data key as the signer gives and takes it: wrapped, so that nobody but the signer can use it. */
export type WrappedDataKey = {
  readonly orgId: string;
  readonly dekId: string;
  readonly kekId: string;
  readonly wrappedHex: string;
  readonly commitHex: string;
};

/** A wallet key as the signer gives and takes it: sealed under the data key. */
export type SealedKey = {
  readonly orgId: string;
  readonly keyId: string;
  readonly scheme: KeyScheme;
  readonly curve: KeyCurve;
  readonly publicKeyHex: string;
  readonly dekId: string;
  readonly ciphertextHex: string;
};

const wrappedOf = (row: DataKeyEntity): WrappedDataKey => ({
  orgId: row.orgId,
  dekId: row.id,
  kekId: row.kekId,
  wrappedHex: row.wrapped,
  commitHex: row.commitment,
});

export const keyStore = {
  async find(reader: Reader, keyId: string): Promise<KeyEntity | undefined> {
    return reader.row(KeyEntity, 'WHERE t.id = $1', [keyId]);
  },

  async findMany(reader: Reader, keyIds: readonly string[]): Promise<KeyEntity[]> {
    return keyIds.length === 0 ? [] : reader.rows(KeyEntity, 'WHERE t.id = ANY($1)', [keyIds]);
  },

  /** The data key under which new keys of the organisation are sealed, if it has one yet. */
  async presentDataKey(reader: Reader): Promise<WrappedDataKey | undefined> {
    const row = await reader.row(DataKeyEntity, `WHERE t.state = 'Active' ORDER BY t.date_created DESC, t.id DESC LIMIT 1`);
    return row && wrappedOf(row);
  },

  /** What the signer needs to sign with this key; the key must be active. */
  async forSigning(reader: Reader, keyId: string): Promise<{ readonly sealed: SealedKey; readonly dek: WrappedDataKey }> {
    const itsDataKey = 'JOIN keys k ON k.org_id = t.org_id AND k.data_key_id = t.id WHERE k.id = $1';
    const [key, dataKey] = await Promise.all([keyStore.find(reader, keyId), reader.row(DataKeyEntity, itsDataKey, [keyId])]);
    invariant(key?.status === 'Active' && key.publicKey && key.sealed && key.dataKeyId, `the key ${keyId} can sign`);
    invariant(dataKey?.id === key.dataKeyId, `the data key of ${keyId} is there`);
    const { orgId, scheme, curve, publicKey, dataKeyId, sealed } = key;
    return {
      sealed: { orgId, keyId, scheme, curve, publicKeyHex: publicKey, dekId: dataKeyId, ciphertextHex: sealed },
      dek: wrappedOf(dataKey),
    };
  },

  /**
   * Stores what the signer made and makes the key active. A key that is active already keeps what it has; answers whether
   * this call changed it.
   */
  async activate(tx: Tx, sealed: SealedKey, dek: WrappedDataKey): Promise<boolean> {
    await tx.insertOnce(DataKeyEntity, {
      orgId: tx.orgId,
      id: dek.dekId,
      kekId: dek.kekId,
      state: 'Active',
      wrapped: dek.wrappedHex,
      commitment: dek.commitHex,
    });
    const changed = await tx.update(
      KeyEntity,
      { id: sealed.keyId, status: 'Creating' },
      { status: 'Active', publicKey: sealed.publicKeyHex, dataKeyId: sealed.dekId, sealed: sealed.ciphertextHex },
    );
    return changed === 1;
  },
};
