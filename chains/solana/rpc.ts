import { z } from 'zod';
import { AppError } from '../../domain/errors';
import { type Rpc, RpcError } from '../rpc/rpc';

/** No node has, or will ever have, a block at the slot. */
export const SKIPPED_CODES: ReadonlySet<number> = new Set([-32_007, -32_009]);
export const NOT_AVAILABLE_YET = -32_004;

export const Count = z.int().min(0);
/** A text stands for a number that may be too large for a JavaScript number (`RpcOptions.longNumbersAsText`). */
export const CountOrText = z.union([Count, z.string().regex(/^\d{16,20}$/)]);
export const CountedUnits = CountOrText.transform(BigInt);
export const Base58 = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,88}$/);

/** Every reply of this form names the slot at which the value was true. */
export const atSlot = <T extends z.ZodType>(value: T) => z.object({ context: z.object({ slot: Count }), value });

/** The error is a name, or a name with its details. */
export const TransactionError = z.union([z.string(), z.record(z.string(), z.unknown())]);

/** Wraps `rpc` for requests that a working node never refuses: a refusal becomes `NetworkUnavailable`. */
export function neverRefused(network: string, rpc: Rpc): Rpc {
  return async (method, params, result) => {
    try {
      return await rpc(method, params, result);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw new AppError('NetworkUnavailable', `The node of ${network} refused ${method}`, { network, method }, error);
    }
  };
}
