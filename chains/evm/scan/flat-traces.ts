import { z } from 'zod';
import { Hash } from '../../rpc/rpc';
import { AddressText, HexText } from './block-schemas';
import type { PayingCall } from './block-traces';

/** A reward of the block has no transaction. */
const FlatTrace = z.object({
  type: z.string(),
  blockHash: Hash,
  transactionHash: Hash.nullish(),
  /** The index of each enclosing call among the calls of its caller, and then the call's own index. Empty for a transaction. */
  traceAddress: z.array(z.int().min(0)),
  subtraces: z.int().min(0),
  error: z.string().nullish(),
  action: z.object({
    callType: z.string().nullish(),
    from: AddressText.nullish(),
    to: AddressText.nullish(),
    value: HexText.nullish(),
    address: AddressText.nullish(),
    refundAddress: AddressText.nullish(),
    balance: HexText.nullish(),
  }),
  result: z.object({ address: AddressText.nullish() }).nullish(),
});
type FlatTrace = z.output<typeof FlatTrace>;

/** The reply of `trace_block` (https://openethereum.github.io/JSONRPC-trace-module#trace_block): each call after its caller. */
export const FlatTraces = z.array(FlatTrace).nullable();

type TracedBlock = { readonly hash: string; readonly transactions: readonly { readonly hash: string }[] };
type Open = { readonly subtraces: number; seen: number; readonly isUndone: boolean };

/**
 * Undefined unless the reply is of this block, has every transaction in order, and every call has as many calls as it states.
 */
export function callsInFlatTraces(
  { hash, transactions }: TracedBlock,
  traces: readonly FlatTrace[] | null,
): readonly PayingCall[][] | undefined {
  const found: PayingCall[][] = [];
  const open: Open[] = [];
  const isClosedTo = (depth: number): boolean => open.splice(depth).every(({ subtraces, seen }) => seen === subtraces);
  for (const trace of traces ?? []) {
    if (trace.blockHash !== hash) return undefined;
    if (trace.transactionHash === null || trace.transactionHash === undefined) continue;
    const depth = trace.traceAddress.length;
    if (!isClosedTo(depth) || open.length < depth) return undefined;
    const caller = open.at(-1);
    if (caller === undefined) found.push([]);
    else if (trace.traceAddress.at(-1) !== caller.seen++) return undefined;
    if (trace.transactionHash !== transactions[found.length - 1]?.hash) return undefined;
    // The chain undoes a failed call together with all calls within it.
    const isUndone = caller?.isUndone === true || (trace.error !== null && trace.error !== undefined);
    open.push({ subtraces: trace.subtraces, seen: 0, isUndone });
    if (caller !== undefined && !isUndone) found.at(-1)?.push(...paymentIn(trace));
  }
  return isClosedTo(0) && found.length === transactions.length ? found : undefined;
}

/** A DELEGATECALL only repeats the value of its caller, and a CALLCODE pays the caller itself. */
function paymentIn({ type, action, result }: FlatTrace): readonly PayingCall[] {
  if (type === 'suicide') return payment(action.address, action.refundAddress, action.balance);
  if (type === 'create') return payment(action.from, result?.address, action.value);
  return type === 'call' && action.callType === 'call' ? payment(action.from, action.to, action.value) : [];
}

type Maybe = string | null | undefined;

function payment(from: Maybe, to: Maybe, value: Maybe): readonly PayingCall[] {
  const amountUnits = BigInt(value ?? '0x0');
  if (amountUnits === 0n || from === null || from === undefined) return [];
  return [{ from: from.toLowerCase(), ...(to === null || to === undefined ? {} : { to: to.toLowerCase() }), amountUnits }];
}
