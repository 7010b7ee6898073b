import { base58 } from '@scure/base';
import { readSignaturesOf } from '../../signer/wire/operator-api';

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
  /** ISO 8601. */
  readonly at: string;
};

export async function readLog(stateDir: string): Promise<readonly SignedEntry[]> {
  const log: SignedEntry[] = [];
  await readSignaturesOf(stateDir, ({ requestId, intentId, orgId, intentDigest, claim, claims }, at, { signatures }) => {
    const used = claim === undefined ? claims : [claim, ...(claims ?? [])];
    const [only] = signatures;
    const isPlain = only !== undefined && only.recoveryId === undefined && signatures.length === 1;
    const signature = isPlain ? base58.encode(Buffer.from(only.r.slice(2) + only.s.slice(2), 'hex')) : undefined;
    log.push({ requestId, intentId, orgId, intentDigest, claims: used, signature, at });
  });
  return log;
}
