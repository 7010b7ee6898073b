import { factsOf, findNetwork } from '../../../chains/networks';
import { canonical } from '../../../platform/canonical';
import { sha256Hex } from '../../../platform/digests';
import { statementBytes } from '../../../platform/fleets/statement';
import { travellingDigest, VOUCH_CHARS_MAX, type Vouch, type VouchOp } from '../../../platform/fleets/vouches';
import type { KeyOfOrder } from '../../judging/judged-orders';
import type { Attestor } from '../../record/attestor';
import type { Fleets } from '../../record/fleets/fleets';
import type { KeyStores } from '../../record/key-stores';
import type { Signed } from '../../record/signing-entries';
import type { SigningLog } from '../../record/signing-log';
import { refuseUnless } from '../../wire/refusal';
import { judgedTransfer } from '../sign-evm';
import type { JudgedOrder, OnceOnly } from '../sign-once';
import { judgedPayload } from '../sign-payload';
import { judgedSolana } from '../sign-solana';
import { judgedUtxo } from '../sign-utxo';
import type { FleetOrders } from './fleet-requests';
import { offlineStore } from './offline-store';
import type { Vouched } from './vouch-orders';

/** The order by which the signer would sign the same payload itself, and its judgement. */
const AS_SIGNED = {
  vouchTransfer: judgedTransfer,
  vouchUtxo: judgedUtxo,
  vouchSolana: judgedSolana,
  vouchPayload: judgedPayload,
} as const satisfies Readonly<Record<VouchOp, (order: never, nowMs: number) => JudgedOrder>>;

type VouchOrder = FleetOrders[VouchOp];
type Parts = {
  readonly signerId: string;
  readonly attestor: Attestor;
  readonly onceOnly: OnceOnly;
  readonly stores: Pick<KeyStores, 'find'>;
  readonly fleets: Pick<Fleets, 'key'>;
  readonly log: Pick<SigningLog, 'vouched'>;
  readonly nowMs: () => number;
};

const keyOf = ({ orgId, keyId, scheme, curve, publicKeyHex }: VouchOrder): KeyOfOrder => ({
  ...{ orgId, keyId, scheme, curve, publicKeyHex },
});

function assertAssigned(key: KeyOfOrder, storeId: string, fleets: Parts['fleets']): void {
  const known = fleets.key(key.keyId);
  refuseUnless(known?.orgId === key.orgId && known.storeId === storeId, 'KeyNotAssigned');
  const isSame = known.scheme === key.scheme && known.curve === key.curve && known.publicKeyHex === key.publicKeyHex;
  refuseUnless(isSame, 'KeyNotAssigned');
}

/** The device makes the signatures. */
const MAKES_NOTHING = async () => ({
  make: ({ digestHex }: JudgedOrder) => ({ digestHex, signatures: [] }),
  close: () => undefined,
});

const claimsOf = ({ claim, claims = [] }: Signed): string[] => (claim === undefined ? [...claims] : [claim, ...claims]);
const messagesOf = ({ message, further = [] }: JudgedOrder): readonly Uint8Array[] => [
  message,
  ...further.map((one) => one.message),
];

/** With a sponsor, another key decides whether the claim is used up. */
function assertUnsponsored(order: VouchOrder): void {
  const isSponsored = ('sponsor' in order && order.sponsor !== undefined) || 'walletSignatureHex' in order;
  refuseUnless(!isSponsored, 'NotForOfflineStore');
}

/**
 * An archive may be signed weeks later. Each transaction must therefore use up a claim, so that a rebuilt payment conflicts with
 * it on chain. A Solana message with a blockhash has no claim. The nonces of some networks, such as Tempo, have several
 * sequences or expire.
 */
function assertFinal({ asked, network, signed, needs }: JudgedOrder): void {
  // A device refuses these payloads, because a person cannot judge them. Their requests would wait for ever.
  const isUnreadable = needs !== undefined || (asked.op === 'signPayload' && asked.order.payload.kind === 'Eip7702');
  refuseUnless(!isUnreadable, 'NotForOfflineStore');
  if (network === undefined) return;
  const found = findNetwork(network);
  const hasOneSequence = found !== undefined && factsOf(found).hasOneSequence;
  refuseUnless(hasOneSequence && claimsOf(signed).length > 0, 'NotForOfflineStore');
}

type Recorded = NonNullable<Signed['vouched']>;

/** The vouch for one group. Everything but the group is the same for each group that carries the request. */
const vouchOf = (
  op: VouchOp,
  order: VouchOrder,
  signed: Signed,
  { orderDigest, dateVouched }: Recorded,
): Omit<Vouch, 'signerId'> => ({
  ...{ v: 1, orgId: order.orgId, storeId: order.store.storeId, groupId: order.store.groupId, requestId: order.requestId, op },
  ...{ keyId: order.keyId, publicKey: order.publicKeyHex, orderDigest, payloadDigest: signed.payloadDigest },
  ...{ claims: claimsOf(signed), dateVouched },
});

/**
 * Judges an order exactly as for a signature, records its claims in the same way, and returns the signer's statement for the
 * device in place of signatures. A repeated order gets the same vouch, and another group gets a vouch for the same order only.
 */
export function createVoucher({ signerId, attestor, onceOnly, stores, fleets, log, nowMs }: Parts) {
  const stated = (vouch: Vouch): Vouched['vouched'] => ({
    vouch: canonical(vouch),
    signed: { by: attestor.publicKeyHex, signature: attestor.sign(statementBytes('vouch', vouch)) },
  });

  const judgedFor = (op: VouchOp, order: VouchOrder, key: KeyOfOrder, orderDigest: string) => {
    assertUnsponsored(order);
    const { publicKeyHex: _public, scheme: _scheme, curve: _curve, store, ...asked } = order;
    const judged = AS_SIGNED[op]({ ...asked, sealed: key } as never, nowMs());
    assertFinal(judged);
    const messages = messagesOf(judged).map((message) => sha256Hex(message));
    const vouched = { storeId: store.storeId, orderDigest, dateVouched: new Date(nowMs()).toISOString(), messages };
    const length = canonical({ ...vouchOf(op, order, judged.signed, vouched), signerId }).length;
    refuseUnless(length <= VOUCH_CHARS_MAX, 'PayloadNotSupported');
    return { ...judged, signed: { ...judged.signed, vouched } };
  };

  const vouchFor = async (op: VouchOp, order: VouchOrder): Promise<Vouched> => {
    const { orgId, requestId, store } = order;
    const key = keyOf(order);
    offlineStore(stores, orgId, store.storeId);
    assertAssigned(key, store.storeId, fleets);
    const orderDigest = travellingDigest(order);
    let judged: JudgedOrder | undefined;
    const judge = () => {
      judged = judgedFor(op, order, key, orderDigest);
      return judged;
    };
    const { digestHex } = await onceOnly(order, { key, open: MAKES_NOTHING }, judge);
    const recorded = log.vouched({ orgId, requestId });
    if (!judged || !recorded) throw new Error('a vouch is on record');
    // Claims cannot be released, so a second order under this id is refused like a second payload.
    refuseUnless(recorded.orderDigest === orderDigest, 'RequestIdReused');
    const messages = messagesOf(judged).map((message) => `0x${Buffer.from(message).toString('hex')}`);
    return { vouched: stated({ ...vouchOf(op, order, judged.signed, recorded), signerId }), digestHex, messages };
  };

  return {
    vouchTransfer: (order: FleetOrders['vouchTransfer']) => vouchFor('vouchTransfer', order),
    vouchUtxo: (order: FleetOrders['vouchUtxo']) => vouchFor('vouchUtxo', order),
    vouchSolana: (order: FleetOrders['vouchSolana']) => vouchFor('vouchSolana', order),
    vouchPayload: (order: FleetOrders['vouchPayload']) => vouchFor('vouchPayload', order),
  };
}
