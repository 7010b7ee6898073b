import { evmDecoderOf, solanaDecoderOf, utxoDecoderOf } from '../../chains/decoders';
import { factsOf, findNetwork } from '../../chains/networks';
import { hidesAmount } from '../../domain/transfers';
import { digestOf } from '../../platform/canonical';
import { transferFee } from '../../signer/judging/evm/fee-units';
import type { JudgedOrders } from '../../signer/judging/judged-orders';
import type { AskedOrder } from '../../signer/judging/people/asked-order';
import { requireNetwork } from '../../signer/judging/require-network';
import { judgedTransfer } from '../../signer/orders/sign-evm';
import type { JudgedOrder } from '../../signer/orders/sign-once';
import { judgedPayload } from '../../signer/orders/sign-payload';
import { judgedSolana } from '../../signer/orders/sign-solana';
import { judgedUtxo } from '../../signer/orders/sign-utxo';
import { refuseOnDeviceUnless } from './device-refusal';
import type { JudgedRequest, ScreenReading } from './judged-request';
import { coinLines, offlineMovement, unknownCallLines } from './offline-movement';
import { readPayload } from './read-payload';

type Op = keyof JudgedOrders;

function readTransfer(order: JudgedOrders['signTransfer']): ScreenReading {
  const { network, intent, bytesHex, encrypted } = order;
  const { asset, to: recipient, amountUnits, callDigest } = intent;
  refuseOnDeviceUnless(encrypted === undefined && !hidesAmount(asset.kind), 'AmountHidden');
  const { call, effect } = evmDecoderOf(requireNetwork('evm', network).name).decodeCall(bytesHex);
  return {
    isMessage: false,
    effect: offlineMovement({ asset, recipient, amountUnits: BigInt(amountUnits) }),
    feeUnits: transferFee(order),
    details: [`Nonce: ${order.nonce}`, ...(callDigest === undefined ? [] : unknownCallLines(effect, digestOf(call as never)))],
  };
}

function readCoins({ network, intent, bytesHex, sealed }: JudgedOrders['signUtxo'], { signed }: JudgedOrder): ScreenReading {
  const decoder = utxoDecoderOf(requireNetwork('utxo', network).name);
  const { publicKeyHex } = sealed;
  const { from, to, callDigest } = intent;
  const paid = callDigest === undefined ? [to] : decoder.effectOf(bytesHex, { publicKeyHex }).recipients;
  const recipients = paid.filter((one) => one !== from);
  return {
    isMessage: false,
    effect: paid.length > 0 ? { asset: 'native', recipients, amountUnits: BigInt(intent.amountUnits) } : undefined,
    feeUnits: { native: decoder.decode(bytesHex).feeUnits },
    details: coinLines(signed.claims ?? []),
  };
}

function readInstructions(order: JudgedOrders['signSolana']): ScreenReading {
  const { network, intent, bytesHex, sponsor, walletSignatureHex } = order;
  refuseOnDeviceUnless(sponsor === undefined && walletSignatureHex === undefined, 'NotOffline');
  const { maxFeeUnits, instructions, lifetime } = solanaDecoderOf(requireNetwork('solana', network).name).decode(bytesHex);
  refuseOnDeviceUnless(lifetime.kind === 'durable-nonce', 'NonceNotDurable');
  const { asset, to: recipient, amountUnits, callDigest, memo } = intent;
  const isShown = callDigest === undefined && asset.kind !== 'Call';
  return {
    isMessage: false,
    effect: isShown ? offlineMovement({ asset, recipient, amountUnits: BigInt(amountUnits) }) : undefined,
    feeUnits: { native: maxFeeUnits },
    details: [
      `Durable nonce: ${lifetime.account}, value ${lifetime.value}`,
      ...(memo === undefined ? [] : [`Memo: ${memo}`]),
      ...(callDigest === undefined ? [] : [`Instructions: ${instructions.map(({ kind }) => kind).join(', ')}`]),
    ],
  };
}

type Parts<K extends Op> = {
  /** The judgement of the signer. */
  readonly judge: (order: JudgedOrders[K], nowMs: number) => JudgedOrder;
  /** What a person at the device sees. */
  readonly read: (order: JudgedOrders[K], judged: JudgedOrder) => ScreenReading;
};

const notOffline = (): never => {
  refuseOnDeviceUnless(false, 'NotOffline');
};

const PARTS: { readonly [K in Op]: Parts<K> } = {
  signTransfer: { judge: judgedTransfer, read: readTransfer },
  signSponsored: { judge: notOffline, read: notOffline },
  signUtxo: { judge: judgedUtxo, read: readCoins },
  signSolana: { judge: judgedSolana, read: readInstructions },
  signPayload: { judge: judgedPayload, read: readPayload },
};

/** The use of a nonce ends no order of another sequence, so a rebuilt payment would not conflict with this one on chain. */
function hasOneSequence(name: string): boolean {
  const network = findNetwork(name);
  return network !== undefined && factsOf(network).hasOneSequence;
}

/**
 * Reads the bytes with the decoder of this device and judges them by the code of the signer. Throws a `Refusal` of that code, or
 * a `DeviceRefusal`, unless the bytes do exactly what the order approves.
 */
export function judgeOrder({ op, order }: AskedOrder): JudgedRequest {
  const { judge, read } = PARTS[op] as Parts<Op>;
  // The clock of the device may be wrong by years, so the order is judged at the time of the vouch.
  const judged = judge(order, Date.parse(order.issuedAt));
  const { signed, network, validOn = network, message, options, further = [] } = judged;
  const { claim, claims = [] } = signed;
  refuseOnDeviceUnless(network === undefined || hasOneSequence(network), 'NotOffline');
  return {
    ...read(order, judged),
    network: validOn,
    transactionOn: network,
    signed,
    claims: claim === undefined ? claims : [claim, ...claims],
    messages: [{ message, options }, ...further],
  };
}
