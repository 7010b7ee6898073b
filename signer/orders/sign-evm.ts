import { digestOf } from '../../platform/canonical';
import { intentDigestOf } from '../../platform/intent-digest';
import { judgeEvm } from '../judging/evm/judge-evm';
import { loggedNonce, nonceOfOrder } from '../judging/evm/logged-nonce';
import type { JudgedOrders } from '../judging/judged-orders';
import type { SignTransferOrder, TransferSignature } from '../protocol';
import type { Signed } from '../record/signing-entries';
import type { JudgedOrder, OnceSigner } from './sign-once';

/** The payload digest covers the key, because the bytes do not show whose money they move. */
function describe(order: JudgedOrders['signTransfer']): Signed {
  const { requestId, intentId, orgId, keyId, network, bytesHex, replaces } = order;
  const { callDigest, ...intent } = order.intent;
  return {
    requestId,
    ...(intentId === undefined ? {} : { intentId }),
    orgId,
    keyId,
    intentDigest: intentDigestOf({
      orgId,
      keyId,
      network,
      intent: { ...intent, ...(callDigest === undefined ? {} : { callDigest }) },
    }),
    payloadDigest: digestOf({ orgId, keyId, network, bytesHex }),
    claim: loggedNonce(network, intent.from, nonceOfOrder(order)),
    ...(replaces === undefined ? {} : { replaces }),
  };
}

export function judgedTransfer(order: JudgedOrders['signTransfer'], nowMs: number): JudgedOrder {
  const digest = judgeEvm(order, nowMs);
  return {
    asked: { op: 'signTransfer', order },
    network: order.network,
    signed: describe(order),
    message: digest,
    digestHex: `0x${Buffer.from(digest).toString('hex')}`,
  };
}

export function createEvmSigner(signOnce: OnceSigner, nowMs: () => number) {
  return async (order: SignTransferOrder): Promise<TransferSignature> => {
    const { digestHex, signatures } = await signOnce(order, () => judgedTransfer(order, nowMs()));
    const { recoveryId, r, s } = signatures[0] ?? {};
    if (recoveryId === undefined || r === undefined || s === undefined)
      throw new Error('this signature does not name its public key');
    return { signature: { r, s, recoveryId }, digestHex };
  };
}
