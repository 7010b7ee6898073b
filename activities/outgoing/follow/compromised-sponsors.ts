import { noteCompromisedSponsor } from '../../../application/outgoing/end/expired-transfers';
import type { Gateway } from '../../../chains/types';
import type { Database } from '../../../entities/database';
import type { OpenPayload } from '../../../entities/outgoing/open-payloads';
import type { PayloadEntity } from '../../../entities/outgoing/payload.entity';
import { payloadStore } from '../../../entities/outgoing/payload.store';

type Parts = { readonly db: Database; readonly gateway: Gateway };

/**
 * Called for sponsored bytes that can never get into a block, because another transaction has used their nonce. If no payload
 * of this service has used the nonce, the sponsor's key is compromised. The function then freezes the key, and returns true the
 * first time. No request ends, because a third party may still send the operation.
 */
export async function tellCompromisedSponsor({ db, gateway }: Parts, open: OpenPayload, row: PayloadEntity): Promise<boolean> {
  for (const { rawHex, txHash, ...rival } of await payloadStore.atSameNonce(db.read(open.orgId), row)) {
    if (rawHex === null || txHash === null) continue;
    // The rows do not show which payload with this nonce is in a block: a payload that reverted has no recorded block while its
    // operation is open.
    const never = await gateway.whyNever?.({ ...rival, rawHex, txHash });
    if (never?.isForeign !== true) return false;
  }
  return noteCompromisedSponsor(db, open);
}
