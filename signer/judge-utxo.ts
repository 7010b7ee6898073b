import { utxoDecoderOf } from '../chains/decoders';
import { isOfFamily } from '../chains/families';
import { findNetwork } from '../chains/networks';
import type { DecodedPsbt, InputDigest, UtxoNetwork } from '../chains/utxo/types';
import { assertKeyRows, assertTimely } from './order-checks';
import type { SignUtxoOrder } from './protocol';
import { Refusal, refuseUnless } from './refusal';

/** What every input has signed, and the coins that are used up. */
export type JudgedUtxo = { readonly digests: readonly InputDigest[]; readonly claims: readonly string[] };

/** The name of a coin in the signing log. */
export const coinClaim = (network: string, { txid, vout }: { readonly txid: string; readonly vout: number }): string =>
  `utxo ${network} ${txid}:${vout}`;

/** As for every transfer: what is not known to be a test network is not signed for (S1). */
export function testUtxoNetwork(name: string): UtxoNetwork {
  const network = findNetwork(name);
  if (!network || !isOfFamily('utxo', network)) throw new Refusal('UnknownNetwork');
  refuseUnless(!network.isMainnet, 'MainnetNotAllowed');
  return network;
}

/** Coins of one address pay one recipient, and what is left goes back: nothing else is a transfer. */
function assertPayments({ outputs }: DecodedPsbt, { from, to, amountUnits }: SignUtxoOrder['intent']): void {
  const [first, second, ...more] = outputs;
  const isHomecoming = to === from && amountUnits === '0';
  refuseUnless(first !== undefined && first.address === to, 'RecipientMismatch');
  refuseUnless(isHomecoming || first?.amountUnits === BigInt(amountUnits), 'AmountMismatch');
  refuseUnless(second === undefined || (!isHomecoming && second.address === from), 'RecipientMismatch');
  refuseUnless(more.length === 0, 'RecipientMismatch');
}

/** Throws a `Refusal` unless the PSBT does exactly what was approved, with coins of the named key, now. */
export function judgeUtxo(order: SignUtxoOrder, nowMs: number): JudgedUtxo {
  const network = testUtxoNetwork(order.network);
  const decoder = utxoDecoderOf(network.name);
  assertTimely(order, nowMs);
  refuseUnless(order.sealed.curve === 'secp256k1' && ['ECDSA', 'Schnorr'].includes(order.sealed.scheme), 'KeyRowMismatch');
  assertKeyRows(order);

  const decoded = decoder.decode(order.bytesHex);
  refuseUnless(decoded.opaque.length === 0, 'BytesNotUnderstood');
  refuseUnless(
    decoded.inputs.every(({ address }) => address === order.intent.from),
    'SenderMismatch',
  );
  // The address is the order's word; that this key alone unlocks it is not.
  const digests = decoder.digestsOf(order.bytesHex, order.sealed.publicKeyHex);
  refuseUnless(digests.length === decoded.inputs.length, 'InputNotOurs');
  refuseUnless(
    decoded.inputs.every(({ isProved }) => isProved),
    'AmountNotProved',
  );
  assertPayments(decoded, order.intent);
  refuseUnless(decoded.feeUnits <= BigInt(order.feeCeilingUnits), 'FeeAboveApproved');
  refuseUnless(decoded.feeUnits <= network.signerFeeCeilingUnits, 'FeeAboveSignerCeiling');
  return { digests, claims: decoded.inputs.map((input) => coinClaim(network.name, input)) };
}
