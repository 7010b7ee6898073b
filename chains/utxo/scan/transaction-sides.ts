import type { ChainMovement } from '../../../domain/movements';

/** `address` is undefined for a script that has no address. */
export type Part = { readonly address: string | undefined; readonly amountUnits: bigint; readonly isWatched: boolean };
export type TransactionParts = {
  /** The coins that the inputs spend. Undefined where no node shows the coin. */
  readonly inputs: readonly (Part | undefined)[];
  readonly outputs: readonly Part[];
};
type Side = Pick<ChainMovement, 'address' | 'direction' | 'from' | 'to' | 'froms' | 'tos' | 'amountUnits' | 'feeUnits' | 'coins'>;

const total = (parts: readonly Part[]): bigint => parts.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
const addressesOf = (parts: readonly Part[]): string[] => [...new Set(parts.flatMap(({ address }) => address ?? []))];

/** One side for each watched address. A side is the gain or loss of the address in the whole transaction. */
export function sidesOf(parts: TransactionParts): Side[] {
  const own = [...parts.inputs, ...parts.outputs].filter((part) => part?.isWatched === true && part.amountUnits > 0n);
  return addressesOf(own as Part[]).flatMap((address) => sideOf(parts, address));
}

function sideOf({ inputs, outputs }: TransactionParts, address: string): Side[] {
  const known = inputs.filter((input) => input !== undefined);
  const spent = known.filter((input) => input.address === address);
  const others = outputs.filter((output) => output.address !== address);
  const coins = outputs.flatMap((output, vout) =>
    output.address === address && output.amountUnits > 0n ? [{ vout, amountUnits: output.amountUnits }] : [],
  );
  const received = coins.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
  const senders = known.length === inputs.length ? addressesOf(known) : [];
  const paysAlone = spent.length > 0 && spent.length === inputs.length;
  // Change is not a payment. An address that pays together with others has no fee of its own, so its loss includes its part of
  // the fee.
  const lossUnits = paysAlone ? total(others) : total(spent) - received;
  if (spent.length === 0 || lossUnits < 0n) {
    return [{ address, direction: 'In', ...named(senders, [address]), amountUnits: -lossUnits, coins }];
  }
  const tos = addressesOf(others);
  const parties = named(senders.length === 0 ? [address] : senders, tos.length === 0 ? [address] : tos);
  const feeUnits = paysAlone ? { feeUnits: total(spent) - total(outputs) } : {};
  return [{ address, direction: 'Out', ...parties, amountUnits: lossUnits, ...feeUnits, coins }];
}

const named = (froms: readonly string[], tos: readonly string[]) => ({
  ...{ froms, tos },
  ...(froms.length === 1 && froms[0] !== undefined ? { from: froms[0] } : {}),
  ...(tos.length === 1 && tos[0] !== undefined ? { to: tos[0] } : {}),
});
