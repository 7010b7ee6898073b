import { z } from 'zod';
import { AppError } from '../../domain/errors';
import { type Rpc, RpcError } from '../rpc/rpc';

/** A transaction's id or a block's hash. */
export const UtxoHash = z.string().regex(/^[0-9a-f]{64}$/);
export const Hex = z.string().regex(/^(?:[0-9a-f]{2})*$/);
export const Height = z.int().min(0);

/**
 * Nodes write amounts as decimal fractions of a coin, and a JSON parser reads these fractions as doubles. Above this limit
 * eight decimals are no longer exact.
 */
const EXACT_COINS_MAX = 2 ** 53 / 1e8;
export const Coins = z
  .number()
  .min(-EXACT_COINS_MAX)
  .max(EXACT_COINS_MAX)
  .transform((coins) => BigInt(coins.toFixed(8).replace('.', '')));

export const nodeTrouble = (network: string, message: string) => new AppError('NetworkUnavailable', message, { network });

/** Wraps `rpc` for requests that a working node never refuses: a refusal becomes `NetworkUnavailable`. */
export const neverRefused =
  (network: string, rpc: Rpc): Rpc =>
  async (method, params, result) => {
    try {
      return await rpc(method, params, result);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const message = `The node of ${network} refuses ${method}: ${error.message}`;
      throw new AppError('NetworkUnavailable', message, { network, method }, error);
    }
  };

/** Undefined if the node does not know the item. Throws `NetworkUnavailable` for all other refusals. */
export const unlessUnknown =
  (network: string, rpc: Rpc) =>
  async <T>(method: string, params: readonly unknown[], result: z.ZodType<T>): Promise<T | undefined> => {
    try {
      return await rpc(method, params, result);
    } catch (error) {
      if (error instanceof RpcError && UNKNOWN_CODES.has(error.rpcCode)) return undefined;
      if (!(error instanceof RpcError)) throw error;
      const message = `The node of ${network} refuses ${method}: ${error.message}`;
      throw new AppError('NetworkUnavailable', message, { network, method }, error);
    }
  };

/**
 * Codes in rpc/protocol.h of Bitcoin Core. RPC_INVALID_ADDRESS_OR_KEY also means a missing transaction, and
 * RPC_INVALID_PARAMETER also means a height above the head.
 */
const UNKNOWN_CODES: ReadonlySet<number> = new Set([-5, -8]);
