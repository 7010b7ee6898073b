import { invariant } from '../../domain/errors';
import { type KeyStoreKind, SOFTWARE_STORE_ID } from '../../domain/key-stores';
import type { KeyForm } from '../../domain/keys';
import type { Reader } from '../database';
import { SEALED_COLUMNS, type SealedKey, type SealedRow, sealedOf, type WrappedDataKey } from './sealed-rows';

type Common = { readonly kind: KeyStoreKind; readonly keyId: string; readonly publicKeyHex: string };
export type SoftwareCustody = Common & {
  readonly kind: 'Software';
  readonly sealed: SealedKey;
  readonly dek: WrappedDataKey;
};
/** The service has no secret of the key: a device that is never online signs. */
export type OfflineCustody = Common & {
  readonly kind: 'OfflineSigner';
  readonly storeId: string;
  readonly form: KeyForm;
};
/** Where the secret of a key lies, with all that the signature needs from the rows. */
export type KeyCustody = SoftwareCustody | OfflineCustody;

type Row = Omit<SealedRow, 'dekId' | 'ciphertextHex'> & {
  readonly storeId: string;
  readonly dekId: string | null;
  readonly ciphertextHex: string | null;
};

async function custodyWhere(reader: Reader, id: string, condition: string): Promise<KeyCustody> {
  const [row] = await reader.select<Row>(
    `SELECT ${SEALED_COLUMNS}, k.store_id AS "storeId"
     FROM keys k LEFT JOIN data_keys d ON d.org_id = k.org_id AND d.id = k.data_key_id
     WHERE ${condition} AND k.public_key IS NOT NULL`,
    [id],
  );
  invariant(row, `the key of ${id} can sign`);
  const { storeId, dekId, ciphertextHex, ...rest } = row;
  const { keyId, publicKeyHex } = rest;
  if (storeId !== SOFTWARE_STORE_ID) {
    const { scheme, curve } = rest;
    return { kind: 'OfflineSigner', keyId, publicKeyHex, storeId, form: { scheme, curve } };
  }
  invariant(ciphertextHex !== null && dekId !== null, `the secret of ${keyId} is sealed under a data key`);
  return { kind: 'Software', keyId, publicKeyHex, ...sealedOf({ ...rest, dekId, ciphertextHex }) };
}

export const keyCustody = {
  /** The key need not be allowed to sign. */
  ofKey: (reader: Reader, keyId: string): Promise<KeyCustody> => custodyWhere(reader, keyId, 'k.id = $1'),

  ofWallet: (reader: Reader, walletId: string): Promise<KeyCustody> =>
    custodyWhere(reader, walletId, 'k.id = (SELECT w.key_id FROM wallets w WHERE w.id = $1)'),
};
