import { evmDecoderOf } from '../../chains/decoders';
import type { DecodedSponsored } from '../../chains/evm/types';
import { sponsorRequestId } from '../../domain/fee-sponsors';
import { digestOf } from '../../platform/canonical';
import { intentDigestOf } from '../../platform/intent-digest';
import { judgeSponsored } from '../judging/evm/judge-sponsored';
import { requireNetwork } from '../judging/require-network';
import type { PayloadSignature, SignSponsoredOrder } from '../protocol';
import type { Signed } from '../record/signing-entries';
import type { OnceSigner } from './sign-once';

/**
 * The wallet's signatures claim the operation's nonce, and the authorization's nonce, as a transaction of the wallet would. The
 * sponsor's signature has a separate id and claims the sponsor's nonce.
 */
function describe(order: SignSponsoredOrder, { operation, authorization, sponsor, nonce }: DecodedSponsored): Signed {
  const { requestId, replaces, intentId, orgId, keyId, network, bytesHex, part } = order;
  const { callDigest, ...moved } = order.intent;
  const intent = { ...moved, ...(callDigest === undefined ? {} : { callDigest }) };
  const common = {
    orgId,
    keyId,
    intentDigest: intentDigestOf({ orgId, keyId, network, intent }),
    payloadDigest: digestOf({ orgId, keyId, network, bytesHex }),
  };
  const sender = operation.sender.toLowerCase();
  if (part === 'Transaction')
    return {
      ...common,
      requestId: sponsorRequestId(requestId),
      claim: `${network} ${sponsor.toLowerCase()} ${nonce}`,
      // With this claim the sponsor pays only once for one operation nonce, even with several nonces of its own.
      claims: [`${network} sponsored ${sender} ${operation.nonce}`],
      ...(replaces === undefined ? {} : { replaces: sponsorRequestId(replaces) }),
    };
  return {
    ...common,
    requestId,
    ...(intentId === undefined ? {} : { intentId }),
    ...(authorization === null ? {} : { claim: `${network} ${sender} ${authorization.nonce}` }),
    claims: [`${network} operation ${sender} ${operation.nonce}`],
    ...(replaces === undefined ? {} : { replaces }),
  };
}

const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex');

export function createSponsoredSigner(signOnce: OnceSigner, nowMs: () => number) {
  return (order: SignSponsoredOrder): Promise<PayloadSignature> => {
    // The log finds earlier signatures by this id, so the wallet's and the sponsor's signatures have separate ids.
    const logged = order.part === 'Operation' ? order.requestId : sponsorRequestId(order.requestId);
    return signOnce({ ...order, requestId: logged }, () => {
      const read = judgeSponsored(order, nowMs());
      const { operationDigestHex, authorization } = read;
      const digestHex =
        order.part === 'Operation'
          ? operationDigestHex
          : `0x${Buffer.from(evmDecoderOf(requireNetwork('evm', order.network).name).digestOf(order.bytesHex)).toString('hex')}`;
      return {
        asked: { op: 'signSponsored', order },
        network: order.network,
        signed: describe(order, read),
        message: bytesOf(digestHex),
        digestHex,
        ...(order.part === 'Operation' && authorization !== null
          ? { further: [{ message: bytesOf(authorization.digestHex) }] }
          : {}),
      };
    });
  };
}
