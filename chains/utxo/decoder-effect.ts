import { Unreadable } from './decoder-bytes';
import type { Psbt } from './decoder-psbt';
import { addressOfScript, scriptOfKey } from './decoder-scripts';
import type { TxOutput } from './decoder-transaction';
import type { PsbtEffect, PsbtOwner, UtxoNetwork } from './types';

const total = (parts: readonly { readonly amountUnits: bigint }[]) => parts.reduce((sum, part) => sum + part.amountUnits, 0n);
const RETURN = 0x6a;

/** An output that contains only data does not pay anyone. */
const isMark = ({ script, amountUnits }: TxOutput) => amountUnits === 0n && script[0] === RETURN;

function ownerOf(network: UtxoNetwork, owner: PsbtOwner): (output: TxOutput) => boolean {
  if ('address' in owner) return ({ script }) => addressOfScript(network, script) === owner.address;
  const publicKey = Buffer.from(owner.publicKeyHex, 'hex');
  const scripts = network.forms.flatMap((form) => scriptOfKey(form, publicKey) ?? []);
  return ({ script }) => scripts.some((own) => own.equals(script));
}

/** Throws `Unreadable` if no coin belongs only to the owner. */
export function effectIn(network: UtxoNetwork, { tx, spent, signed }: Psbt, owner: PsbtOwner): PsbtEffect {
  const isOwn = ownerOf(network, owner);
  const own = spent.flatMap((output, index) => {
    const input = tx.inputs[index];
    return input && isOwn(output) ? [{ ...output, txid: input.txid, vout: input.vout, isSigned: signed[index] === true }] : [];
  });
  const [first] = own;
  const home = first && addressOfScript(network, first.script);
  if (home === undefined) throw new Unreadable('no input belongs only to the owner');
  // An output to another address form of the same key is not treated as change: the node's wallet watches a single form and would
  // not see the coin.
  const isHome = ({ script }: TxOutput) => own.some((input) => input.script.equals(script));

  const paid = tx.outputs.filter((output) => !isHome(output) && !isMark(output));
  const addresses = paid.map(({ script }) => addressOfScript(network, script));
  const known = addresses.flatMap((address) => address ?? []);
  const isAlone = own.length === spent.length;
  // If others have inputs too, the bytes do not show who pays which output. In this case, everything that does not return to the
  // owner is included.
  const gone = isAlone ? total(paid) : total(own) - total(tx.outputs.filter(isHome));
  return {
    address: home,
    coins: own.map(({ txid, vout, amountUnits }) => ({ txid, vout, amountUnits })),
    recipients: known.length < paid.length ? [] : [...new Set(known.length === 0 ? [home] : known)],
    amountUnits: gone > 0n ? gone : 0n,
    isSigned: own.some(({ isSigned }) => isSigned),
  };
}
