import { digestOf } from '../platform/canonical';
import { judge } from './judge';
import type { SignTransferOrder, TransferSignature } from './protocol';
import { Refusal } from './refusal';
import type { SealedSigning } from './sealed-signing';
import type { Signed, SigningLog } from './signing-log';

/** What the log keeps of an order. The payload includes the key, because the bytes do not say whose money they move. */
function describe(order: SignTransferOrder): Signed {
  const { requestId, intentId, orgId, keyId, network, intent, nonce, bytesHex } = order;
  return {
    requestId,
    ...(intentId === undefined ? {} : { intentId }),
    orgId,
    keyId,
    intentDigest: digestOf({ orgId, keyId, network, ...intent }),
    payloadDigest: digestOf({ orgId, keyId, network, bytesHex }),
    claim: `${network} ${intent.from.toLowerCase()} ${nonce}`,
  };
}

/** Judges the order, signs, verifies, logs, and only then answers. Throws a `Refusal` when the order is not to be signed. */
export function createTransferSigner(signing: SealedSigning, log: SigningLog, nowMs: () => number) {
  const sign = async (order: SignTransferOrder): Promise<TransferSignature> => {
    const digest = judge(order, nowMs());
    const signed = describe(order);
    const earlier = await log.find(signed);
    if (earlier) return earlier;

    const key = await signing.open(order);
    try {
      return await log.record(signed, () => {
        const { recoveryId, ...words } = key.sign(digest);
        if (recoveryId === undefined) throw new Error('this signature does not name its public key');
        return { signature: { ...words, recoveryId }, digestHex: `0x${Buffer.from(digest).toString('hex')}` };
      });
    } finally {
      key.close();
    }
  };

  return async (order: SignTransferOrder): Promise<TransferSignature> => {
    try {
      return await sign(order);
    } catch (error) {
      // An order that is wrong today may have been signed yesterday, and whoever releases its nonce has to know that.
      if (error instanceof Refusal && log.hasSigned(order.requestId)) throw new Refusal(error.reason, true);
      throw error;
    }
  };
}
