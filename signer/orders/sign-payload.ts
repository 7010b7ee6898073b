import { digestOf } from '../../platform/canonical';
import type { JudgedOrders } from '../judging/judged-orders';
import { judgePayload } from '../judging/payloads/judge-payload';
import type { PayloadSignature, SignPayloadOrder } from '../protocol';
import type { JudgedOrder, OnceSigner } from './sign-once';

/**
 * A transaction gets the same digest as a transfer with the same bytes. The log then recognises bytes that the signer has signed
 * as a transfer, and the signer does not make a second signature.
 */
function digestOfPayload({ orgId, keyId, payload }: JudgedOrders['signPayload'], network: string | undefined): string {
  const isTransaction = ['EvmTransaction', 'SolanaTransaction', 'Psbt'].includes(payload.kind);
  if (isTransaction && 'bytesHex' in payload && network !== undefined)
    return digestOf({ orgId, keyId, network, bytesHex: payload.bytesHex });
  const { kind, ...rest } = payload;
  return digestOf({ orgId, keyId, kind, payload: JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))) });
}

export function judgedPayload(order: JudgedOrders['signPayload'], nowMs: number): JudgedOrder {
  const { taken, ...judged } = judgePayload(order, nowMs);
  const { requestId, intentId, orgId, keyId } = order;
  const digest = digestOfPayload(order, taken?.network);
  const signed = {
    requestId,
    ...(intentId === undefined ? {} : { intentId }),
    orgId,
    keyId,
    intentDigest: digest,
    payloadDigest: digest,
    ...(taken?.claim === undefined ? {} : { claim: taken.claim }),
    ...(taken?.claims === undefined ? {} : { claims: [...taken.claims] }),
  };
  return { asked: { op: 'signPayload', order }, ...judged, network: taken?.network, signed };
}

export function createPayloadSigner(signOnce: OnceSigner, nowMs: () => number) {
  return (order: SignPayloadOrder): Promise<PayloadSignature> => signOnce(order, () => judgedPayload(order, nowMs()));
}
