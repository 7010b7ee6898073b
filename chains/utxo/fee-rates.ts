import { z } from 'zod';
import type { FeePriority } from '../../domain/transfers';
import { type Rpc, RpcError } from '../rpc/rpc';
import { Coins, nodeTrouble } from './rpc-schemas';
import type { FeeRate, UtxoNetwork, UtxoReader } from './types';

/** The blocks within which a transaction of this priority should confirm. */
const HORIZONS: Readonly<Record<FeePriority, number>> = { Slow: 12, Standard: 6, Fast: 2 };

const EstimateReply = z.object({ feerate: Coins.optional() });
/** The node does not have the method (JSON-RPC 2.0). */
const UNKNOWN_METHOD = -32_601;
const PoolReply = z.object({ mempoolminfee: Coins });

const greater = (one: bigint, other: bigint): bigint => (one < other ? other : one);

/** `ask` must be `rpc` wrapped by `neverRefused`. */
export function createFeeRates({ name, feeRateFloor }: UtxoNetwork, ask: Rpc, rpc: Rpc): UtxoReader['feeRates'] {
  /** Nodes of Bitcoin Cash have only `estimatefee`, because a transaction on their network rarely waits for a second block. */
  const estimate = async (blocks: number): Promise<bigint | undefined> => {
    try {
      return (await rpc('estimatesmartfee', [blocks], EstimateReply)).feerate;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (error.rpcCode !== UNKNOWN_METHOD)
        throw nodeTrouble(name, `The node of ${name} refuses estimatesmartfee: ${error.message}`);
      return ask('estimatefee', [blocks], Coins);
    }
  };

  const feeRate = async (floor: bigint, priority: FeePriority): Promise<FeeRate> => {
    // Units per 1000 bytes are thousandths of a unit per byte.
    const rate = (await estimate(HORIZONS[priority])) ?? floor;
    return { milliUnitsPerVbyte: greater(rate, floor), blockHorizon: HORIZONS[priority] };
  };

  return async () => {
    const { mempoolminfee } = await ask('getmempoolinfo', [], PoolReply);
    const floor = greater(mempoolminfee, feeRateFloor);
    const [Slow, Standard, Fast] = await Promise.all([
      feeRate(floor, 'Slow'),
      feeRate(floor, 'Standard'),
      feeRate(floor, 'Fast'),
    ]);
    return { Slow, Standard, Fast };
  };
}
