import { wakeAsking } from '../../application/lanes';
import { evmCodecOf } from '../../chains/codecs';
import { evmDecoderOf } from '../../chains/decoders';
import type { EvmNetwork, FeeTerms, UnsignedTx } from '../../chains/evm/types';
import { inFamily } from '../../chains/families';
import { networkOf } from '../../chains/networks';
import type { createReaders } from '../../chains/readers';
import { AppError } from '../../domain/errors';
import type { NetworkName } from '../../domain/networks';
import { lowestHole } from '../../domain/nonces';
import { evmTerms } from '../../domain/transactions';
import type { Tx } from '../../entities/database';
import { type FeeToken, type LaneView, laneStore, nonceClaim } from '../../entities/transfers/lane.store';
import type { TransferEntity } from '../../entities/transfers/transfer.entity';
import type { FamilyPreparation, Placed } from '../families';
import { assertInsideEnvelope, assertInsideTerms } from './envelope';
import { intentOfRow } from './intent';
import { quoteSponsored } from './sponsored';

/** What the node said before the lane was locked. */
type Quote = { readonly fees: FeeTerms; readonly chainCount: number; readonly nativeUnits: bigint; readonly tokenUnits: bigint };

const evmNetworkOf = (name: NetworkName): EvmNetwork => inFamily('evm', networkOf(name));

export function build(row: TransferEntity, nonce: number, fees: FeeTerms): UnsignedTx {
  const codec = evmCodecOf(row.network);
  return row.terms === null ? codec.build(intentOfRow(row), nonce, fees) : codec.buildCall(evmTerms(row.terms).call, nonce, fees);
}

export function assertApproved({ bytesHex }: UnsignedTx, row: TransferEntity, nonce: number): void {
  const { chainId } = evmNetworkOf(row.network);
  const decoder = evmDecoderOf(row.network);
  if (row.terms === null) assertInsideEnvelope(decoder.decode(bytesHex), row, nonce, chainId);
  else assertInsideTerms(decoder.decodeCall(bytesHex), row, nonce, chainId);
}

/** EVM: the lowest free nonce of the sender, one transaction after the other. */
export function createEvmPreparation(readers: ReturnType<typeof createReaders>): FamilyPreparation {
  const quote = async (row: TransferEntity): Promise<Quote> => {
    const reader = inFamily('evm', readers(row.network));
    // The count before the balance: then whatever the balance does not show yet has a nonce at or above the count.
    const chainCount = await reader.transactionCount(row.fromAddress, 'latest');
    const [fees, nativeUnits, tokenUnits] = await Promise.all([
      row.terms === null
        ? reader.feeTerms(intentOfRow(row), row.priority)
        : reader.callFees(row.fromAddress, evmTerms(row.terms)),
      reader.feeBalance(row.fromAddress),
      row.contract === null ? 0n : reader.tokenBalance(row.contract, row.fromAddress),
    ]);
    return { fees, chainCount, nativeUnits, tokenUnits };
  };
  return {
    quote: async (asked) => {
      if (asked.feeSponsorId !== null) return quoteSponsored(inFamily('evm', readers(asked.network)), asked);
      const quoted = await quote(asked);
      return (tx, row) => place(tx, row, quoted);
    },
  };
}

async function place(tx: Tx, row: TransferEntity, quoted: Quote): Promise<Placed> {
  const key = { network: row.network, address: row.fromAddress };
  const lane = await laneStore.view(tx, key, row, quoted.chainCount, feeTokenOf(row));
  const nonce = nonceOf(row, lane, quoted.chainCount);
  // Without a place in the queue, where it would keep those back that it waits for.
  if (nonce === undefined) return { kind: 'Waits', detail: 'EarlierNonces', queued: false };
  const unsigned = build(row, nonce, quoted.fees);
  if (unsigned.maxFeeUnits > BigInt(row.feeCeilingUnits)) {
    // A price that the caller set never falls.
    if (row.terms === null || evmTerms(row.terms).maxFeePerGas === null) return { kind: 'FeeAboveCeiling' };
    throw new AppError('TransferWouldFail', 'The fee that was asked for is above the ceiling of the network');
  }

  const spend = spendOf(row, unsigned.maxFeeUnits);
  if (spend.native > quoted.nativeUnits || spend.token > quoted.tokenUnits) {
    throw new AppError('TransferWouldFail', 'Insufficient funds for the amount and its fee');
  }
  // A node keeps a handful of a sender's transactions until a block has them; how long they then take to be final is no matter of its.
  const inTurn = lane.ahead < networkOf(row.network).inFlightMax - lane.unmined;
  const covered =
    spend.native + lane.openNativeUnits <= quoted.nativeUnits && spend.token + lane.openTokenUnits <= quoted.tokenUnits;
  // Funds that open transfers may still spend are not ours yet; when those are final, the balance alone decides. What uses up a nonce that others
  // stand behind cannot wait for them.
  const isFill = row.replacementKind === 'Cancel';
  if (!isFill && (!inTurn || !covered)) return { kind: 'Waits', detail: inTurn ? 'Funds' : 'Turn', queued: true };

  assertApproved(unsigned, row, nonce);
  const next = nonce + 1 + (row.terms === null ? 0 : evmTerms(row.terms).ownNonces.length);
  return {
    kind: 'Built',
    unsigned,
    nonce,
    claims: [nonceClaim(row.fromAddress, nonce)],
    context: null,
    after: async (claiming) => (lane.asked.length > 0 ? wakeAsking(claiming, key, next) : undefined),
  };
}

/** The nonce to claim: the lowest free one, or the one asked for when it is free and next. Undefined while open requests are to fill the gap below it. */
function nonceOf({ askedNonce, terms }: TransferEntity, { taken, asked }: LaneView, chainCount: number): number | undefined {
  const next = lowestHole(taken, chainCount);
  if (askedNonce === null) return next;
  if (
    [askedNonce, ...(terms === null ? [] : evmTerms(terms).ownNonces)].some(
      (nonce) => nonce < chainCount || taken.includes(nonce),
    )
  ) {
    throw new AppError('TransferWouldFail', `The nonce ${askedNonce} that was asked for is used by now`);
  }
  if (askedNonce === next) return next;
  const reachable = lowestHole([...taken, ...asked], chainCount);
  if (reachable >= askedNonce) return undefined;
  throw new AppError('TransferWouldFail', `The nonce ${askedNonce} that was asked for would leave a gap at ${reachable}`);
}

function feeTokenOf({ network }: TransferEntity): FeeToken | undefined {
  const { feeToken, nativeAsset } = evmNetworkOf(network);
  return feeToken && { contract: feeToken.contract, scale: 10n ** BigInt(nativeAsset.decimals - feeToken.decimals) };
}

function spendOf(row: TransferEntity, maxFeeUnits: bigint): { native: bigint; token: bigint } {
  const amount = BigInt(row.amountUnits);
  const feeToken = feeTokenOf(row);
  if (feeToken && row.contract === feeToken.contract) return { native: maxFeeUnits + amount * feeToken.scale, token: amount };
  return row.contract === null ? { native: amount + maxFeeUnits, token: 0n } : { native: maxFeeUnits, token: amount };
}
