import { z } from 'zod';
import { Hash } from '../../rpc/rpc';
import { AddressText, type FullBlockReply, HexText } from './block-schemas';
import type { PayingCall } from './block-traces';

/** A frame of the call tracer. `calls` are the frames of the calls that this call makes. */
type CallFrame = {
  readonly type: string;
  readonly from: string;
  readonly to?: string | undefined;
  readonly value?: string | undefined;
  readonly error?: string | undefined;
  readonly calls?: readonly CallFrame[] | undefined;
};
const CallFrame: z.ZodType<CallFrame> = z.lazy(() =>
  z.object({
    type: z.string(),
    from: AddressText,
    to: AddressText.optional(),
    value: HexText.optional(),
    error: z.string().optional(),
    calls: z.array(CallFrame).optional(),
  }),
);

/**
 * The reply of `debug_traceBlockByHash` with the call tracer of Geth. A transaction that the node could not trace has an error
 * instead of a result.
 */
export const CallFrames = z.array(z.object({ txHash: Hash.optional(), result: CallFrame.optional() }));
type CallFrames = z.output<typeof CallFrames>;

/** Calls that move value. A DELEGATECALL only repeats the value of its caller, and a CALLCODE pays the caller itself. */
const PAYING: ReadonlySet<string> = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT']);

/** Undefined unless the reply has a frame for each transaction. */
export function callsInFrames({ transactions }: FullBlockReply, traced: CallFrames): readonly PayingCall[][] | undefined {
  const frames = traced.flatMap(({ result }) => result ?? []);
  return frames.length === transactions.length ? frames.map(callsWithin) : undefined;
}

function callsWithin({ calls }: CallFrame): PayingCall[] {
  return (calls ?? []).flatMap((frame) => {
    // The chain undoes a failed call together with all calls within it.
    if (frame.error !== undefined) return [];
    const inner = callsWithin(frame);
    const amountUnits = PAYING.has(frame.type) ? BigInt(frame.value ?? '0x0') : 0n;
    if (amountUnits === 0n) return inner;
    const to = frame.to === undefined ? {} : { to: frame.to.toLowerCase() };
    return [{ from: frame.from.toLowerCase(), ...to, amountUnits }, ...inner];
  });
}
