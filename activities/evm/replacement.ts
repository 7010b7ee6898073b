import { evmCodecOf } from '../../chains/codecs';
import type { EvmReader, FeeTerms } from '../../chains/evm/types';
import { inFamily } from '../../chains/families';
import type { createReaders } from '../../chains/readers';
import { AppError, invariant } from '../../domain/errors';
import { evmTerms } from '../../domain/transactions';
import type { Tx } from '../../entities/database';
import { laneStore } from '../../entities/transfers/lane.store';
import type { PayloadEntity } from '../../entities/transfers/payload.entity';
import type { TransferEntity } from '../../entities/transfers/transfer.entity';
import type { FamilyReplacement, Placed } from '../families';
import { intentOfRow } from './intent';
import { assertApproved, build } from './preparation';

/** Nodes ask for a tenth more of both prices, some for an eighth (geth's and Erigon's `pricebump`). */
const bumped = (price: bigint): bigint => (price * 9n + 7n) / 8n;
const max = (a: bigint, b: bigint) => (a > b ? a : b);

type Quote = { readonly fees: FeeTerms; readonly chainCount: number; readonly nativeUnits: bigint };

/** What nodes take in place of a payload: the market's prices, and an eighth more than before at least. */
export async function feesOver(reader: EvmReader, row: TransferEntity, rival: PayloadEntity): Promise<FeeTerms> {
  const before = pricesOf(rival);
  const { terms } = row;
  const market =
    terms === null
      ? await reader.feeTerms(intentOfRow(row), 'Fast')
      : // The price is open: what was asked for is what was too low.
        await reader.callFees(row.fromAddress, { ...evmTerms(terms), maxFeePerGas: null, maxPriorityFeePerGas: null });
  return {
    gas: row.replacementKind === 'Cancel' ? market.gas : max(before.gas, market.gas),
    maxFeePerGas: max(bumped(before.maxFeePerGas), market.maxFeePerGas),
    maxPriorityFeePerGas: max(bumped(before.maxPriorityFeePerGas), market.maxPriorityFeePerGas),
  };
}

/** EVM: the same nonce once more, for what the market asks and at least an eighth more than before. */
export function createEvmReplacement(readers: ReturnType<typeof createReaders>): FamilyReplacement {
  const quote = async (row: TransferEntity, rival: PayloadEntity): Promise<Quote> => {
    const reader = inFamily('evm', readers(row.network));
    const chainCount = await reader.transactionCount(row.fromAddress, 'latest');
    const [fees, nativeUnits] = await Promise.all([feesOver(reader, row, rival), reader.nativeBalance(row.fromAddress)]);
    return { fees, chainCount, nativeUnits };
  };
  return {
    quote: async (asked, rival) => {
      const quoted = await quote(asked, rival);
      return (tx, row) => place(tx, row, quoted);
    },
  };
}

/** Prices and gas of a payload, as its bytes say them. */
export function pricesOf({ network, fromAddress, unsignedHex }: PayloadEntity): FeeTerms {
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = evmCodecOf(network).termsOf(unsignedHex, fromAddress, 'payload');
  invariant(gas !== null && maxFeePerGas !== null, 'bytes that were built name their gas and price');
  return {
    gas: BigInt(gas),
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas ?? maxFeePerGas),
  };
}

async function place(tx: Tx, row: TransferEntity, { fees, chainCount, nativeUnits }: Quote): Promise<Placed> {
  const nonce = await laneStore.sharedNonce(tx, row);
  if (nonce === undefined || nonce < chainCount)
    throw new AppError('TransferWouldFail', 'The nonce was used before another transaction could take its place');
  const unsigned = build(row, nonce, fees);
  if (unsigned.maxFeeUnits > BigInt(row.feeCeilingUnits)) return { kind: 'FeeAboveCeiling' };
  const nativeAmount = row.contract === null ? BigInt(row.amountUnits) : 0n;
  if (nativeAmount + unsigned.maxFeeUnits > nativeUnits)
    throw new AppError('TransferWouldFail', 'Insufficient funds for the higher fee');
  assertApproved(unsigned, row, nonce);
  return { kind: 'Built', unsigned, nonce, claims: [], context: null };
}
