import { base58 } from '@scure/base';
import { readSignaturesOf } from '../../signer/wire/operator-api';

/**
 * Who signed, as far as the log knows. `Vouched`: the signer released the request to an offline device, and no signature is known.
 * `Device`: a device has signed, and the signer has verified and recorded the signatures.
 */
export type LoggedBy = 'Signer' | 'Vouched' | 'Device';

export type SignedEntry = {
  readonly requestId: string;
  readonly intentId?: string | undefined;
  readonly orgId: string;
  readonly intentDigest: string;
  /** A nonce, a coin or a value of a durable nonce, in the format of the log. */
  readonly claims?: readonly string[] | undefined;
  /**
   * Base58; undefined unless the entry has exactly one signature, without a recovery id. Solana identifies a transaction by this
   * signature. An entry for a Bitcoin transaction with one taproot input also has such a signature.
   */
  readonly signature?: string | undefined;
  readonly by: LoggedBy;
  /** ISO 8601. */
  readonly at: string;
};

type Signatures = readonly { readonly r: string; readonly s: string }[];

/** Undefined unless there is one signature, because only a transaction of Solana is identified by its signature. */
export function plainSignature(signatures: Signatures): string | undefined {
  const [only] = signatures;
  return only && signatures.length === 1 ? base58.encode(Buffer.from(only.r.slice(2) + only.s.slice(2), 'hex')) : undefined;
}

export async function readLog(stateDir: string): Promise<readonly SignedEntry[]> {
  const log: SignedEntry[] = [];
  const vouched = new Map<string, number>();
  await readSignaturesOf(
    stateDir,
    ({ requestId, intentId, orgId, intentDigest, claim, claims, vouched: byDevice }, at, { signatures }) => {
      const used = claim === undefined ? claims : [claim, ...(claims ?? [])];
      const signature = signatures[0]?.recoveryId === undefined ? plainSignature(signatures) : undefined;
      if (byDevice !== undefined) vouched.set(`${orgId} ${requestId}`, log.length);
      const by = byDevice === undefined ? 'Signer' : 'Vouched';
      log.push({ requestId, intentId, orgId, intentDigest, claims: used, signature, by, at });
    },
    ({ orgId, requestId, signatures }) => {
      const at = vouched.get(`${orgId} ${requestId}`) ?? -1;
      const entry = log[at];
      if (entry) log[at] = { ...entry, signature: plainSignature(signatures), by: 'Device' };
    },
  );
  return log;
}
