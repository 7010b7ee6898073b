import { createHash } from 'node:crypto';
import { sponsorRequestId } from '../../domain/fee-sponsors';
import { digestOf } from '../../platform/canonical';
import { intentDigestOf } from '../../platform/intent-digest';
import { durableClaim, judgeSolana } from '../judging/judge-solana';
import type { JudgedOrders } from '../judging/judged-orders';
import type { PayloadSignature, SignSolanaOrder } from '../protocol';
import type { Signed } from '../record/signing-entries';
import type { JudgedOrder, OnceSigner } from './sign-once';

const isOfSponsor = ({ walletSignatureHex }: JudgedOrders['signSolana']): boolean => walletSignatureHex !== undefined;
/** The log finds earlier signatures by this id, so the wallet's signature and the sponsor's signature have separate ids. */
const loggedIdOf = (order: JudgedOrders['signSolana']): string =>
  isOfSponsor(order) ? sponsorRequestId(order.requestId) : order.requestId;

/**
 * Two messages with blockhashes have no claim (such as a nonce) in common, so both messages could be executed. A request
 * therefore gets a signature for only one such message, even after the message has expired (S5, S7). The sponsor's record has no
 * claim, because the wallet's signature already holds the claim.
 */
function describe(order: JudgedOrders['signSolana'], lifetime: ReturnType<typeof judgeSolana>): Signed {
  const { requestId, replaces, intentId, orgId, keyId, network, intent, bytesHex } = order;
  const { memo, createsDestination, callDigest, nonceAccounts: _judged, ...moved } = intent;
  const common = {
    orgId,
    keyId,
    intentDigest: intentDigestOf({
      orgId,
      keyId,
      network,
      intent: { ...moved, ...(callDigest === undefined ? {} : { callDigest }) },
    }),
    payloadDigest: digestOf({ orgId, keyId, network, bytesHex }),
  };
  if (isOfSponsor(order)) return { ...common, requestId: loggedIdOf(order) };
  return {
    ...common,
    requestId,
    ...(intentId === undefined ? {} : { intentId }),
    ...(lifetime.kind === 'blockhash' ? {} : { claims: [durableClaim(network, lifetime)] }),
    ...(replaces === undefined ? {} : { replaces }),
  };
}

export function judgedSolana(order: JudgedOrders['signSolana'], nowMs: number): JudgedOrder {
  const signed = describe(order, judgeSolana(order, nowMs));
  const message = Buffer.from(order.bytesHex.slice(2), 'hex');
  return {
    asked: { op: 'signSolana', order },
    network: order.network,
    signed,
    message,
    digestHex: `0x${createHash('sha256').update(message).digest('hex')}`,
  };
}

export function createSolanaSigner(signOnce: OnceSigner, nowMs: () => number) {
  return (order: SignSolanaOrder): Promise<PayloadSignature> =>
    signOnce({ ...order, requestId: loggedIdOf(order) }, () => judgedSolana(order, nowMs()));
}
