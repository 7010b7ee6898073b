import { AppError } from '../../domain/errors';
import type { DataKeyStanding } from '../../domain/rotations';
import { auditEntryStore } from '../audit-logs/audit-entry.store';
import type { Reader, Tx } from '../database';
import { DataKeyEntity } from './data-key.entity';
import { KeyEntity } from './key.entity';
import { SEALED_COLUMNS, type SealedKey, type SealedRow, sealedOf, type WrappedDataKey, wrappedOf } from './sealed-rows';

type Sealed = { readonly sealed: SealedKey; readonly dek: WrappedDataKey };

/** `rewrap` and `reseal` take effect only if the replaced value is unchanged, so no call undoes a concurrent change. */
export const rotationStore = {
  async wrapped(reader: Reader, dataKeyId: string): Promise<WrappedDataKey | undefined> {
    const row = await reader.row(DataKeyEntity, `WHERE t.id = $1 AND t.state <> 'Destroyed'`, [dataKeyId]);
    return row && wrappedOf(row);
  },

  /** Returns false if `old` no longer wraps the data key. */
  async rewrap(tx: Tx, old: WrappedDataKey, { kekId, wrappedHex }: WrappedDataKey): Promise<boolean> {
    const set = { kekId, wrapped: wrappedHex };
    const isRewrapped = (await tx.update(DataKeyEntity, { id: old.dekId, wrapped: old.wrappedHex }, set)) === 1;
    if (isRewrapped) await auditEntryStore.command(tx, 'keys:rotate-kek', { dataKeyId: old.dekId, kekId });
    return isRewrapped;
  },

  /**
   * From this call on, the data key seals new keys, and the organisation's other data keys only open existing keys. A repeated
   * call changes nothing.
   */
  async beginUsing(tx: Tx, dek: WrappedDataKey): Promise<void> {
    const isNew = await tx.insertOnce(DataKeyEntity, {
      orgId: tx.orgId,
      id: dek.dekId,
      kekId: dek.kekId,
      state: 'Active',
      wrapped: dek.wrappedHex,
      commitment: dek.commitHex,
    });
    if (!isNew) return;
    await tx.query(`UPDATE data_keys SET state = 'DecryptOnly' WHERE org_id = $1 AND state = 'Active' AND id <> $2`, [
      tx.orgId,
      dek.dekId,
    ]);
    await auditEntryStore.command(tx, 'keys:rotate-dek', { dataKeyId: dek.dekId });
  },

  /** Omits keys that `dataKeyId` seals. */
  async keysNotUnder(reader: Reader, dataKeyId: string, after: string | undefined, rowsMax: number): Promise<readonly Sealed[]> {
    const rows = await reader.select<SealedRow>(
      `SELECT ${SEALED_COLUMNS} FROM keys k JOIN data_keys d ON d.org_id = k.org_id AND d.id = k.data_key_id
       WHERE k.data_key_id <> $1 AND k.sealed IS NOT NULL AND k.id > $2 ORDER BY k.id LIMIT $3`,
      [dataKeyId, after ?? '', rowsMax],
    );
    return rows.map(sealedOf);
  },

  /** Returns false if the stored sealed key no longer equals `old`. */
  async reseal(tx: Tx, old: SealedKey, { dekId, ciphertextHex }: SealedKey): Promise<boolean> {
    const where = { id: old.keyId, sealed: old.ciphertextHex, dataKeyId: old.dekId };
    return (await tx.update(KeyEntity, where, { dataKeyId: dekId, sealed: ciphertextHex })) === 1;
  },

  /** Oldest first, each with the number of keys that the data key seals. */
  async standing(reader: Reader): Promise<readonly DataKeyStanding[]> {
    return reader.select<DataKeyStanding>(
      `SELECT d.id, d.kek_id AS "kekId", d.state,
              (SELECT count(*) FROM keys k WHERE k.org_id = d.org_id AND k.data_key_id = d.id)::integer AS keys
       FROM data_keys d ORDER BY d.date_created, d.id`,
    );
  },

  /**
   * Deletes the wrapped data key. Afterwards nothing that was sealed under the data key can be opened. Throws `NotFound` for an
   * unknown data key, and `WrongState` if the data key is active or still seals a key.
   */
  async destroy(tx: Tx, dataKeyId: string): Promise<void> {
    // The lock waits for open transactions that have stored a key under the data key.
    const row = await tx.row(DataKeyEntity, 'WHERE t.id = $1 FOR UPDATE', [dataKeyId]);
    if (!row) throw new AppError('NotFound', 'data key not found', { dataKeyId });
    if (row.state === 'Destroyed') return;
    if (row.state === 'Active') throw new AppError('WrongState', `${dataKeyId} is active: rotate first`, { dataKeyId });
    const [first] = await tx.rows(KeyEntity, 'WHERE t.data_key_id = $1 LIMIT 1', [dataKeyId]);
    if (first) throw new AppError('WrongState', `${dataKeyId} still seals the key ${first.id}: rotate again`, { dataKeyId });
    const set = { state: 'Destroyed', wrapped: '', dateDestroyed: await tx.clock() } as const;
    await tx.update(DataKeyEntity, { id: dataKeyId }, set);
    await auditEntryStore.command(tx, 'keys:destroy-dek', { dataKeyId });
  },
};
