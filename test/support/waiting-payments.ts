import { orderIn } from '../../offline-signer/signing/device-order';
import { judgeOrder } from '../../offline-signer/signing/judge-order';
import { canonical, digestOf } from '../../platform/canonical';
import { sha256Hex } from '../../platform/digests';
import type { MessagesOf } from '../../platform/fleets/assert-sign-output';
import type { FleetInput, FleetKey, SignRequest } from '../../platform/fleets/inputs';
import type { Vouch } from '../../platform/fleets/vouches';
import type { Travelling } from '../offline-signer/signing/fleet';
import { coinPayment, evmPayment, solanaPayment } from '../offline-signer/signing/payments';
import type { Party } from './fleet-parties';

const [EVM_PAYMENTS, COIN_PAYMENTS] = [14, 5] as const;

/** 20 payments of three families. Payments that share a key have different nonces or coins. */
const paymentsWith = (keyAt: (at: number) => FleetKey): readonly Travelling[] => [
  ...Array.from({ length: EVM_PAYMENTS }, (_, at) => evmPayment(`xfr-evm-${at}`, { key: keyAt(0), nonce: at })),
  ...Array.from({ length: COIN_PAYMENTS }, (_, at) =>
    coinPayment(`xfr-coin-${at}`, { key: keyAt(at + 1), keyId: `key-coin-${at}` }),
  ),
  solanaPayment('xfr-sol', { key: keyAt(60), keyId: 'key-sol' }),
];

type Place = Pick<FleetInput, 'signerId' | 'orgId' | 'storeId' | 'groupId'>;

function requestFor({ op, key, order: made, claims }: Travelling, place: Place, signer: Party): SignRequest {
  const { orgId } = place;
  const order = { ...made, orgId };
  const { requestId, keyId, network, bytesHex } = order as typeof order & Record<'keyId' | 'network' | 'bytesHex', string>;
  const text = canonical(order as never);
  const vouch: Vouch = {
    ...{ v: 1, signerId: place.signerId, orgId, storeId: place.storeId, groupId: place.groupId, requestId, op, keyId },
    ...{ publicKey: order.publicKeyHex, orderDigest: sha256Hex(text), claims: [...claims] },
    ...{ payloadDigest: digestOf({ orgId, keyId, network, bytesHex }), dateVouched: new Date().toISOString() },
  };
  const vouched = { vouch: canonical(vouch), signed: signer.state('vouch', vouch) };
  return { operationId: `fo-${requestId}`, requestId, op, key, order: text, vouched };
}

/** The requests that wait for the store, with the signer's vouches for this group. */
export const waitingPayments = (keyAt: (at: number) => FleetKey, place: Place, signer: Party): SignRequest[] =>
  paymentsWith(keyAt).map((payment) => requestFor(payment, place, signer));

/** The messages of the requests in the input. */
export const messagesIn =
  (input: FleetInput, signer: Party): MessagesOf =>
  (requestId) => {
    const { task } = input;
    const request =
      'requests' in task ? task.requests.find((one) => 'requestId' in one && one.requestId === requestId) : undefined;
    if (!request || !('requestId' in request)) throw new Error(`the input has no request ${requestId}`);
    return judgeOrder(orderIn(request, input, signer.by).asked).messages.map(({ message }) => message);
  };
