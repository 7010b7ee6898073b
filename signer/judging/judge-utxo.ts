import { utxoDecoderOf } from '../../chains/decoders';
import type { DecodedPsbt, InputDigest, PsbtEffect, UtxoDecoder, UtxoNetwork } from '../../chains/utxo/types';
import { digestOf } from '../../platform/canonical';
import { refuseUnless } from '../wire/refusal';
import type { JudgedOrders } from './judged-orders';
import { assertKeyRows, assertTimely } from './order-checks';
import { requireNetwork } from './require-network';

/** The digests of the key's inputs, and the claims on the coins that these inputs spend. */
export type JudgedUtxo = { readonly digests: readonly InputDigest[]; readonly claims: readonly string[] };

export const loggedCoinClaim = (network: string, { txid, vout }: { readonly txid: string; readonly vout: number }): string =>
  `utxo ${network} ${txid}:${vout}`;

/** A transfer pays one recipient and sends the change back to the sender. Any other shape is refused. */
function assertPayments({ outputs }: DecodedPsbt, { from, to, amountUnits }: JudgedOrders['signUtxo']['intent']): void {
  const [first, second, ...more] = outputs;
  const isHomecoming = to === from && amountUnits === '0';
  refuseUnless(first !== undefined && first.address === to, 'RecipientMismatch');
  refuseUnless(isHomecoming || first?.amountUnits === BigInt(amountUnits), 'AmountMismatch');
  refuseUnless(second === undefined || (!isHomecoming && second.address === from), 'RecipientMismatch');
  refuseUnless(more.length === 0, 'RecipientMismatch');
}

type Judging = { readonly network: UtxoNetwork; readonly decoder: UtxoDecoder; readonly decoded: DecodedPsbt };

function readOrRefuse(network: UtxoNetwork, bytesHex: string): Judging {
  const decoder = utxoDecoderOf(network.name);
  const decoded = decoder.decode(bytesHex);
  refuseUnless(decoded.opaque.length === 0, 'BytesNotUnderstood');
  return { network, decoder, decoded };
}

/**
 * Judges a PSBT that a caller made, possibly with inputs of other parties. At least one input must belong to the key, and no
 * such input may be signed yet. The PSBT must prove the amounts of these inputs. Any fault throws a `Refusal`.
 */
export function judgePsbt(network: UtxoNetwork, bytesHex: string, publicKeyHex: string): JudgedUtxo & { effect: PsbtEffect } {
  const { decoder, decoded } = readOrRefuse(network, bytesHex);
  const digests = decoder.digestsOf(bytesHex, publicKeyHex);
  refuseUnless(digests.length > 0, 'InputNotOurs');
  const effect = decoder.effectOf(bytesHex, { publicKeyHex });
  refuseUnless(!effect.isSigned, 'CallMismatch');
  refuseUnless(
    digests.every(({ index }) => decoded.inputs[index]?.isProved === true),
    'AmountNotProved',
  );
  refuseUnless(decoded.feeUnits <= network.signerFeeCeilingUnits, 'FeeAboveSignerCeiling');
  return { digests, claims: effect.coins.map((coin) => loggedCoinClaim(network.name, coin)), effect };
}

/** The bytes must be the approved bytes, and their effect must match the approval. */
function judgeRaw(order: JudgedOrders['signUtxo'], network: UtxoNetwork): JudgedUtxo {
  const { from, to, amountUnits, callDigest } = order.intent;
  refuseUnless(digestOf({ psbtHex: order.bytesHex }) === callDigest, 'CallMismatch');
  const { effect, ...judged } = judgePsbt(network, order.bytesHex, order.sealed.publicKeyHex);
  const { inputs, feeUnits } = readOrRefuse(network, order.bytesHex).decoded;
  refuseUnless(
    judged.digests.every(({ index }) => inputs[index]?.address === from),
    'SenderMismatch',
  );
  // A transaction without an output address has no recipient. The order and the record that the policies judged then name the
  // sender as `to`.
  refuseUnless(effect.recipients.length === 0 ? to === from : effect.recipients[0] === to, 'RecipientMismatch');
  refuseUnless(effect.amountUnits === BigInt(amountUnits), 'AmountMismatch');
  refuseUnless(feeUnits <= BigInt(order.feeCeilingUnits), 'FeeAboveApproved');
  return judged;
}

/** Throws a `Refusal` unless the order is timely, the coins belong to its key, and its PSBT does exactly what was approved. */
export function judgeUtxo(order: JudgedOrders['signUtxo'], nowMs: number): JudgedUtxo {
  const network = requireNetwork('utxo', order.network);
  assertTimely(order, nowMs);
  refuseUnless(order.sealed.curve === 'secp256k1' && ['ECDSA', 'Schnorr'].includes(order.sealed.scheme), 'KeyRowMismatch');
  assertKeyRows(order);
  if (order.intent.callDigest !== undefined) return judgeRaw(order, network);

  const { decoder, decoded } = readOrRefuse(network, order.bytesHex);
  refuseUnless(
    decoded.inputs.every(({ address }) => address === order.intent.from),
    'SenderMismatch',
  );
  // The order only claims that the address belongs to the key. The decoder checks that this key alone unlocks the address.
  const digests = decoder.digestsOf(order.bytesHex, order.sealed.publicKeyHex);
  refuseUnless(digests.length === decoded.inputs.length, 'InputNotOurs');
  refuseUnless(
    decoded.inputs.every(({ isProved }) => isProved),
    'AmountNotProved',
  );
  assertPayments(decoded, order.intent);
  refuseUnless(decoded.feeUnits <= BigInt(order.feeCeilingUnits), 'FeeAboveApproved');
  refuseUnless(decoded.feeUnits <= network.signerFeeCeilingUnits, 'FeeAboveSignerCeiling');
  return { digests, claims: decoded.inputs.map((input) => loggedCoinClaim(network.name, input)) };
}
