import { z } from 'zod';
import { AppError } from '../../domain/errors';
import type { FeePriority, TransferAsset } from '../../domain/transfers';
import type { FeeTerms, TransferIntent } from '../types';
import { callOf } from './call';
import { estimateFailure, neverRefused } from './errors';
import { Quantity, quantityOf, type Rpc } from './rpc';

const HISTORY_BLOCKS = 10;
const TIP_PERCENTILES = [10, 50, 90];
const TIP_INDEX: Readonly<Record<FeePriority, number>> = { Slow: 0, Standard: 1, Fast: 2 };
/** Wei per gas. Empty blocks show tips of zero, with which a transaction would wait for ever behind others. */
const TIP_FLOOR: Readonly<Record<FeePriority, bigint>> = { Slow: 50_000_000n, Standard: 100_000_000n, Fast: 250_000_000n };
/** The base fee grows by an eighth per full block at most: twice the present one lasts for five. */
const BASE_FEE_FACTOR = 2n;
const PLAIN_TRANSFER_GAS = 21_000n;
/** A token's gas depends on storage that may change before the transaction is mined. */
const GAS_MARGIN_PERCENT = 25n;

const FeeHistory = z.object({
  baseFeePerGas: z.array(Quantity).min(1),
  reward: z.array(z.array(Quantity)).nullish(),
});

const median = (values: readonly bigint[]) => [...values].sort((a, b) => Number(a - b))[values.length >> 1] ?? 0n;
const max = (a: bigint, b: bigint) => (a > b ? a : b);

async function readPrices(rpc: Rpc, priority: FeePriority): Promise<Omit<FeeTerms, 'gas'>> {
  const params = [quantityOf(HISTORY_BLOCKS), 'latest', TIP_PERCENTILES];
  const { baseFeePerGas, reward } = await rpc('eth_feeHistory', params, FeeHistory);
  const tips = (reward ?? []).map((row) => row[TIP_INDEX[priority]] ?? 0n).filter((tip) => tip > 0n);
  const maxPriorityFeePerGas = max(median(tips), TIP_FLOOR[priority]);
  const nextBaseFee = baseFeePerGas.at(-1) ?? 0n;
  return { maxPriorityFeePerGas, maxFeePerGas: nextBaseFee * BASE_FEE_FACTOR + maxPriorityFeePerGas };
}

async function estimateGas(rpc: Rpc, intent: TransferIntent): Promise<bigint> {
  const { to, value, data } = callOf(intent);
  try {
    const gas = await rpc('eth_estimateGas', [{ from: intent.from, to, value: quantityOf(value), data }], Quantity);
    return gas <= PLAIN_TRANSFER_GAS ? PLAIN_TRANSFER_GAS : gas + (gas * GAS_MARGIN_PERCENT) / 100n;
  } catch (error) {
    throw estimateFailure(intent.network, error);
  }
}

const nativePart = (asset: TransferAsset, amountUnits: bigint) => (asset.kind === 'Native' ? amountUnits : 0n);

/** Gas with a margin and prices from the last blocks; throws `TransferWouldFail` when the sender cannot pay amount and highest fee. */
export async function readFeeTerms(rpc: Rpc, intent: TransferIntent, priority: FeePriority): Promise<FeeTerms> {
  const ask = neverRefused(intent.network, rpc);
  const [gas, prices, balance] = await Promise.all([
    estimateGas(rpc, intent),
    readPrices(ask, priority),
    ask('eth_getBalance', [intent.from, 'latest'], Quantity),
  ]);
  const neededUnits = nativePart(intent.asset, intent.amountUnits) + gas * prices.maxFeePerGas;
  if (balance < neededUnits) {
    const message = 'The balance does not cover the amount and the highest possible fee';
    throw new AppError('TransferWouldFail', message, { network: intent.network, neededUnits: String(neededUnits) });
  }
  return { gas, ...prices };
}
