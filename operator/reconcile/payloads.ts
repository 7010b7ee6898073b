import { base58 } from '@scure/base';

const SIGNATURE_BYTES = 64;

/** The signed bytes in the rows, with their claims (reservations of nonces and coins). */
export const PAYLOADS = `
  SELECT p.org_id AS "orgId", p.transfer_id AS "transferId", p.network, p.from_address AS "fromAddress",
         CASE WHEN p.context ->> 'nonceKey' IS NULL THEN p.nonce::text
           ELSE (p.context ->> 'nonceKey') || ':' || (p.context ->> 'keyedNonce') END AS nonce,
         ARRAY(SELECT c.key FROM claims c
               WHERE c.org_id = p.org_id AND c.kind = 'utxo' AND c.transfer_id IN (t.id, t.claims_of) ORDER BY 1) AS coins,
         p.context #>> '{lifetime,account}' AS account, p.context #>> '{lifetime,value}' AS value, p.raw_hex AS "rawHex",
         p.state, p.date_signed AS "dateSigned"
  FROM payloads p JOIN transfers t ON t.org_id = p.org_id AND t.id = p.transfer_id WHERE p.raw_hex IS NOT NULL ORDER BY p.id`;

export type PayloadRow = {
  readonly orgId: string;
  readonly transferId: string;
  readonly network: string;
  readonly fromAddress: string;
  /** The nonce key and a colon precede a keyed nonce. */
  readonly nonce: string | null;
  /** `txid:vout` */
  readonly coins: readonly string[];
  /** The durable nonce; null if the transaction uses no durable nonce. */
  readonly account: string | null;
  readonly value: string | null;
  readonly rawHex: string;
  readonly state: string;
  readonly dateSigned: Date | null;
};

/** The signatures of a Solana transaction in base58. The number of signatures always fits the first byte. */
export function signaturesIn(rawHex: string): string[] {
  const bytes = Buffer.from(rawHex.replace(/^0x/, ''), 'hex');
  return Array.from({ length: bytes[0] ?? 0 }, (_, index) => {
    const at = 1 + index * SIGNATURE_BYTES;
    return base58.encode(bytes.subarray(at, at + SIGNATURE_BYTES));
  });
}
