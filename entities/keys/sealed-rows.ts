import type { KeyCurve, KeyScheme } from '../../domain/keys';
import type { DataKeyEntity } from './data-key.entity';

/** Only the signer can unwrap the key. */
export type WrappedDataKey = {
  readonly orgId: string;
  readonly dekId: string;
  readonly kekId: string;
  readonly wrappedHex: string;
  readonly commitHex: string;
};

/** A key that is sealed under the data key. */
export type SealedKey = {
  readonly orgId: string;
  readonly keyId: string;
  readonly scheme: KeyScheme;
  readonly curve: KeyCurve;
  readonly publicKeyHex: string;
  readonly dekId: string;
  readonly ciphertextHex: string;
};

export const wrappedOf = (row: DataKeyEntity): WrappedDataKey => ({
  orgId: row.orgId,
  dekId: row.id,
  kekId: row.kekId,
  wrappedHex: row.wrapped,
  commitHex: row.commitment,
});

/**
 * SQL: the sealed key and its data key. One query must read both, because a rotation could reseal the key between two queries.
 */
export const SEALED_COLUMNS = `k.org_id AS "orgId", k.id AS "keyId", k.scheme, k.curve, k.public_key AS "publicKeyHex",
  d.id AS "dekId", k.sealed AS "ciphertextHex", d.kek_id AS "kekId", d.wrapped AS "wrappedHex", d.commitment AS "commitHex"`;

export type SealedRow = SealedKey & WrappedDataKey;

export const sealedOf = ({ kekId, wrappedHex, commitHex, ...sealed }: SealedRow) => ({
  sealed,
  dek: { orgId: sealed.orgId, dekId: sealed.dekId, kekId, wrappedHex, commitHex },
});
