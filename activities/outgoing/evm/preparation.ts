import { wakeAsking } from '../../../application/outgoing/lanes/wake-lanes';
import { evmCodecOf, evmVariantOf } from '../../../chains/codecs';
import { evmDecoderOf } from '../../../chains/decoders';
import type { EvmTransferForm, FeeTerms, UnsignedTx } from '../../../chains/evm/types';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import type { createReaders } from '../../../chains/readers';
import { AppError } from '../../../domain/errors';
import { type KeyedNonce, lowestHole } from '../../../domain/nonces';
import { isAbsent } from '../../../domain/slots';
import { evmTerms } from '../../../domain/transactions';
import type { Database, Tx } from '../../../entities/database';
import { type CoinToken, keyedNonceClaim, type LaneView, laneStore, nonceClaim } from '../../../entities/outgoing/lane.store';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import type { BuildOutcome, FamilyPreparation } from '../family-forms';
import type { WithEncrypted } from './encryption';
import { assertInsideEnvelope, assertInsideTerms } from './envelope';
import { intentOfRow, tokenUnitsOf } from './intent';
import { assertNamedNonce, contextOf, evmFormOf, isKeyed, nextInLanes, notedOf } from './keyed-nonces';
import { quoteSponsored } from './sponsored';

type Quote = {
  readonly fees: FeeTerms;
  readonly chainCount: number;
  /** The result of `nextInLanes`. */
  readonly next: readonly KeyedNonce[] | undefined;
  readonly nativeUnits: bigint;
  readonly tokenUnits: bigint;
  readonly currencyUnits: bigint;
};

export function buildUnsigned(row: OutgoingEntity, nonce: number, fees: FeeTerms, form: EvmTransferForm): UnsignedTx {
  const codec = evmCodecOf(row.network);
  return row.terms === null
    ? codec.build(intentOfRow(row), nonce, fees, form)
    : codec.buildCall(evmTerms(row.terms).call, nonce, fees);
}

/** Compares the built bytes with the approval (S8). */
export function assertApproved({ bytesHex }: UnsignedTx, row: OutgoingEntity, nonce: KeyedNonce): void {
  const { chainId } = inFamily('evm', networkOf(row.network));
  const decoder = evmDecoderOf(row.network);
  if (row.terms === null) assertInsideEnvelope(decoder.decode(bytesHex), row, nonce, chainId);
  else assertInsideTerms(decoder.decodeCall(bytesHex), row, nonce, chainId);
}

/**
 * EVM: claims the lowest free nonce of the account's own lane. A lane is a queue with nonces of its own, and some networks give
 * an account further lanes (`keyed-nonces.ts`). If a transfer would wait in the account's own lane and a further lane is free,
 * claims the next nonce of the further lane. A raw transaction claims a nonce in the lane that the transaction specifies.
 */
export function createEvmPreparation(
  db: Database,
  readers: ReturnType<typeof createReaders>,
  withEncrypted: WithEncrypted,
): FamilyPreparation {
  const quote = async (row: OutgoingEntity): Promise<Quote> => {
    const reader = inFamily('evm', readers(row.network));
    // The count is read before the balance, so the balance reflects every transaction with a nonce below the count.
    const chainCount = await reader.transactionCount(row.fromAddress, 'latest');
    const form = evmFormOf(row);
    const [next, fees, nativeUnits, tokenUnits, currencyUnits] = await Promise.all([
      nextInLanes(db, reader, row, chainCount),
      row.terms === null
        ? reader.feeTerms(intentOfRow(row), row.priority, form)
        : reader.callFees(row.fromAddress, evmTerms(row.terms)),
      reader.feeBalance(row.fromAddress),
      tokenUnitsOf(reader, row),
      form.feeCurrency === undefined ? 0n : reader.feeBalance(row.fromAddress, form.feeCurrency),
    ]);
    return { fees, chainCount, next, nativeUnits, tokenUnits, currencyUnits };
  };
  return {
    quote: async (requested) => {
      const asked = await withEncrypted(requested);
      if (asked.feeSponsorId !== null) return quoteSponsored(inFamily('evm', readers(asked.network)), asked);
      const quoted = await quote(asked);
      return (tx, row) => place(tx, row, quoted);
    },
  };
}

async function place(tx: Tx, row: OutgoingEntity, quoted: Quote): Promise<BuildOutcome> {
  const key = { network: row.network, address: row.fromAddress };
  const lane = await laneStore.view(tx, key, row, quoted.chainCount, feeTokenOf(row));
  const placed = await placeInLanes(tx, row, lane, quoted);
  if ('kind' in placed) return placed;
  const { nonce, nonceKey } = placed;
  const form = { ...evmFormOf(row), nonceKey };
  const unsigned = buildUnsigned(row, nonce, quoted.fees, form);
  if (unsigned.maxFeeUnits > BigInt(row.feeCeilingUnits)) {
    // The network's price may fall while the transfer waits. A price that the caller set stays.
    if (row.terms === null || evmTerms(row.terms).maxFeePerGas === null) return { kind: 'FeeAboveCeiling' };
    throw new AppError('TransferWouldFail', 'The requested fee is above the ceiling of the network');
  }

  const spend = spendOf(row, unsigned.maxFeeUnits);
  if (spend.native > quoted.nativeUnits || spend.token > quoted.tokenUnits || spend.currency > quoted.currencyUnits) {
    throw new AppError('TransferWouldFail', 'Insufficient funds for the amount and its fee');
  }
  const { feeCurrency: contract } = form;
  const pool = contract === undefined ? undefined : await laneStore.view(tx, key, { ...row, contract }, quoted.chainCount);
  // A node accepts only a few pending transactions per sender.
  const inTurn = nonceKey > 0n || lane.ahead < networkOf(row.network).inFlightMax - lane.unmined;
  const covered =
    spend.native + lane.openNativeUnits <= quoted.nativeUnits &&
    spend.token + lane.openTokenUnits <= quoted.tokenUnits &&
    spend.currency + (pool?.openTokenUnits ?? 0n) <= quoted.currencyUnits;
  // Open transfers may still spend a part of the funds, so the request waits. A transaction that fills a nonce gap must not
  // wait: the gap blocks the open transfers.
  const isFill = row.replacementKind === 'Cancel';
  if (!isFill && (!inTurn || !covered)) return { kind: 'Waits', detail: inTurn ? 'Funds' : 'Turn', queued: true };

  assertApproved(unsigned, row, placed);
  if (nonceKey > 0n) {
    const claims = [keyedNonceClaim(row.fromAddress, placed)];
    return { kind: 'Built', unsigned, nonce: null, claims, context: contextOf(form, placed), noted: notedOf(form) };
  }
  const next = nonce + 1 + (row.terms === null ? 0 : evmTerms(row.terms).ownNonces.length);
  return {
    kind: 'Built',
    unsigned,
    nonce,
    claims: [nonceClaim(row.fromAddress, nonce)],
    context: contextOf(form, placed),
    noted: notedOf(form),
    after: async (claiming) => (lane.asked.length > 0 ? wakeAsking(claiming, key, next) : undefined),
  };
}

/** Returns the lane and the nonce to claim. A lane other than the account's own has room for one transaction at a time. */
async function placeInLanes(
  tx: Tx,
  row: OutgoingEntity,
  lane: LaneView,
  { chainCount, next }: Quote,
): Promise<KeyedNonce | BuildOutcome> {
  const key = { network: row.network, address: row.fromAddress };
  if (isKeyed(row)) {
    const free = next && (await laneStore.freeKeyed(tx, key, next));
    if (free === undefined) return { kind: 'Waits', detail: 'Turn', queued: true };
    assertNamedNonce(row, free);
    return free;
  }
  const nonce = nonceOf(row, lane, chainCount);
  // This request does not keep a place in the queue, because the place would block the requests that must come first.
  if (nonce === undefined) return { kind: 'Waits', detail: 'EarlierNonces', queued: false };
  // A request may leave for another lane only if unmined transactions precede the request in its own lane. A request that can
  // fill a nonce gap must stay in its own lane.
  const isBehind = row.askedNonce === null && lane.unmined > 0 && lane.taken.every((taken) => taken < nonce);
  const mayLeave = isBehind && row.terms === null;
  // The quote found the account's own lane free, but another request has taken that lane in the meantime. A new quote must query
  // the other lanes.
  if (mayLeave && next === undefined) return { kind: 'AskAgain' };
  const free = mayLeave && next ? await laneStore.freeKeyed(tx, key, next) : undefined;
  return free ?? { nonceKey: 0n, nonce };
}

/**
 * Returns the requested nonce or, without one, the lowest free nonce. Returns undefined while open requests are about to fill
 * the gap below a requested nonce. Throws for a requested nonce that is used or would leave a gap.
 */
function nonceOf({ askedNonce, terms }: OutgoingEntity, { taken, asked }: LaneView, chainCount: number): number | undefined {
  const next = lowestHole(taken, chainCount);
  if (askedNonce === null) return next;
  if (
    [askedNonce, ...(terms === null ? [] : evmTerms(terms).ownNonces)].some(
      (nonce) => nonce < chainCount || taken.includes(nonce),
    )
  ) {
    throw new AppError('TransferWouldFail', `The requested nonce ${askedNonce} has already been used`);
  }
  if (askedNonce === next) return next;
  const reachable = lowestHole([...taken, ...asked], chainCount);
  if (reachable >= askedNonce) return undefined;
  throw new AppError('TransferWouldFail', `The requested nonce ${askedNonce} would leave a gap at ${reachable}`);
}

function feeTokenOf({ network }: OutgoingEntity): CoinToken | undefined {
  const { token } = evmVariantOf(network).fees;
  return isAbsent(token) ? undefined : token;
}

/**
 * The most that a transaction spends. `native` includes the fee, unless the bytes specify a fee currency. If the bytes specify a
 * fee currency, `currency` includes the fee, and also the amount if the transfer moves that currency.
 */
export function spendOf(row: OutgoingEntity, maxFeeUnits: bigint, form = evmFormOf(row)) {
  const amount = row.assetKind === 'Erc7984' ? 0n : BigInt(row.amountUnits);
  const { feeCurrency } = form;
  const native = row.contract === null ? amount : 0n;
  const token = row.contract === null ? 0n : amount;
  if (feeCurrency !== undefined) return { native, token, currency: maxFeeUnits + (row.contract === feeCurrency ? amount : 0n) };
  const feeToken = feeTokenOf(row);
  const scaled = feeToken && row.contract === feeToken.contract ? amount * feeToken.scale : 0n;
  return { native: native + scaled + maxFeeUnits, token, currency: 0n };
}
