import type { DecodedPsbt, Selection } from '../../../chains/utxo/types';
import { AppError } from '../../../domain/errors';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';

/**
 * Throws unless the bytes spend the chosen coins, pay what was approved and return everything else to the sender (S8).
 * `decoded` comes from a decoder that shares no code with the builder.
 */
export function assertInsideEnvelope(decoded: DecodedPsbt, row: OutgoingEntity, selection: Selection): void {
  const coinOf = ({ txid, vout }: { readonly txid: string; readonly vout: number }) => `${txid}:${vout}`;
  const chosen = new Map(selection.coins.map((coin) => [coinOf(coin), coin.amountUnits]));
  const [payment, ...others] = decoded.outputs;
  // A payment of 0 to the sender, such as a cancellation, returns everything to the sender.
  const isHomecoming = row.toAddress === row.fromAddress && row.amountUnits === '0';
  const total = decoded.outputs.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
  const spent = decoded.inputs.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
  const checks: Readonly<Record<string, boolean>> = {
    inputs:
      decoded.inputs.length === chosen.size && decoded.inputs.every((input) => chosen.get(coinOf(input)) === input.amountUnits),
    owner: decoded.inputs.every(({ address, isProved }) => address === row.fromAddress && isProved),
    recipient: payment?.address === row.toAddress,
    amount: payment?.amountUnits === (isHomecoming ? selection.changeUnits : BigInt(row.amountUnits)),
    change: others.length <= (isHomecoming ? 0 : 1) && others.every(({ address }) => address === row.fromAddress),
    fee:
      decoded.feeUnits === spent - total &&
      decoded.feeUnits === selection.feeUnits &&
      decoded.feeUnits <= BigInt(row.feeCeilingUnits),
    understood: decoded.opaque.length === 0,
  };
  const wrong = Object.keys(checks).filter((name) => !checks[name]);
  if (wrong.length === 0) return;
  throw new AppError('EnvelopeMismatch', `The built transaction differs from what was approved: ${wrong.join(', ')}`);
}
