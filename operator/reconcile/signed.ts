import { readSignaturesOf } from '../../signer/upkeep';

/** An entry of the signing log as a reconciliation needs it. */
export type Signed = {
  readonly requestId: string;
  readonly intentId?: string | undefined;
  readonly orgId: string;
  readonly intentDigest: string;
  /** Network, sender in lower case, and nonce. */
  readonly claim?: string | undefined;
  /** ISO 8601. */
  readonly at: string;
};

export async function readLog(stateDir: string): Promise<readonly Signed[]> {
  const log: Signed[] = [];
  await readSignaturesOf(stateDir, ({ requestId, intentId, orgId, intentDigest, claim }, at) => {
    log.push({ requestId, intentId, orgId, intentDigest, claim, at });
  });
  return log;
}
