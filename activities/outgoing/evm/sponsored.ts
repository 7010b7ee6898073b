import { wakeAsking } from '../../../application/outgoing/lanes/wake-lanes';
import { evmCodecOf } from '../../../chains/codecs';
import { evmDecoderOf } from '../../../chains/decoders';
import type { EvmReader, SponsoredFees } from '../../../chains/evm/types';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import { AppError, invariant } from '../../../domain/errors';
import { lowestHole } from '../../../domain/nonces';
import type { UserCall } from '../../../domain/transactions';
import type { Tx } from '../../../entities/database';
import { laneStore, nonceClaim, operationClaim } from '../../../entities/outgoing/lane.store';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { digestOf } from '../../../platform/canonical';
import type { BuildOutcome, BuildUnderLock } from '../family-forms';
import { assertSponsorMaySign } from '../sponsor-keys';
import { assertInsideSponsored } from './envelope';
import { intentOfRow, tokenUnitsOf } from './intent';

const KEY_HEX = 48;
const SEQUENCE_BITS = 64n;

type Quote = {
  readonly fees: SponsoredFees;
  readonly sponsorCount: number;
  readonly ownCount: number;
  readonly sponsorUnits: bigint;
  readonly nativeUnits: bigint;
  readonly tokenUnits: bigint;
};

export const callsOf = (row: OutgoingEntity): readonly UserCall[] =>
  row.terms?.family === 'evm-operation' ? row.terms.call : [evmCodecOf(row.network).callOf(intentOfRow(row))];

/**
 * The entry point counts nonces separately for each account and each nonce key of 24 bytes. Every request has its own nonce
 * key, so only replacements of the request's operation compete for the same nonce.
 */
export const operationNonceOf = (requestId: string): bigint =>
  BigInt(`0x${digestOf({ operation: requestId }).slice(0, KEY_HEX)}`) << SEQUENCE_BITS;

export const sponsorAddressOf = ({ sponsorAddress }: OutgoingEntity): string => {
  invariant(sponsorAddress !== null, 'a sponsored request names its sponsor');
  return sponsorAddress;
};

export async function quoteSponsored(reader: EvmReader, asked: OutgoingEntity): Promise<BuildUnderLock> {
  const sponsor = sponsorAddressOf(asked);
  const { fromAddress: sender } = asked;
  // The counts are read before the balances. So if a balance does not reflect a transaction yet, the transaction's nonce is at or
  // above the count.
  const [sponsorCount, ownCount] = await Promise.all([
    reader.transactionCount(sponsor, 'latest'),
    reader.transactionCount(sender, 'latest'),
  ]);
  const operation = { sender, sponsor, calls: callsOf(asked), nonce: operationNonceOf(asked.id) };
  const [fees, sponsorUnits, nativeUnits, tokenUnits] = await Promise.all([
    reader.sponsoredFees(operation, asked.priority),
    reader.nativeBalance(sponsor),
    reader.nativeBalance(sender),
    tokenUnitsOf(reader, asked),
  ]);
  const quoted = { fees, sponsorCount, ownCount, sponsorUnits, nativeUnits, tokenUnits };
  return (tx, row) => place(tx, row, quoted);
}

async function place(tx: Tx, row: OutgoingEntity, quoted: Quote): Promise<BuildOutcome> {
  await assertSponsorMaySign(tx, row);
  const sponsor = sponsorAddressOf(row);
  const { network, fromAddress: sender } = row;
  const key = { network, address: sponsor };
  const lane = await laneStore.view(tx, key, row, quoted.sponsorCount);
  const own = await laneStore.view(tx, { network, address: sender }, row, quoted.ownCount);
  // An authorization is valid only with the account's next nonce, which an open transaction of the wallet would use up.
  const isFree = own.unmined === 0 && !own.taken.includes(quoted.ownCount);
  if (!quoted.fees.isDelegated && !isFree) return { kind: 'Waits', detail: 'EarlierNonces', queued: false };

  const { fees } = quoted;
  const nonce = lowestHole(lane.taken, quoted.sponsorCount);
  const authorizationNonce = fees.isDelegated ? null : quoted.ownCount;
  const { verificationGas, callGas } = fees;
  const operation = { sender, nonce: operationNonceOf(row.id), calls: callsOf(row), verificationGas, callGas };
  const { unsigned, operationHash } = evmCodecOf(network).buildSponsored({ operation, sponsor, authorizationNonce }, nonce, fees);
  if (unsigned.maxFeeUnits > BigInt(row.feeCeilingUnits)) return { kind: 'FeeAboveCeiling' };

  const amount = row.assetKind === 'Erc7984' ? 0n : BigInt(row.amountUnits);
  const spend = row.contract === null ? { native: amount, token: 0n } : { native: 0n, token: amount };
  if (unsigned.maxFeeUnits > quoted.sponsorUnits) throw new AppError('TransferWouldFail', 'The fee sponsor cannot pay the fee');
  if (spend.native > quoted.nativeUnits || spend.token > quoted.tokenUnits)
    throw new AppError('TransferWouldFail', 'Insufficient funds for the amount');
  // The sponsor's queue does not contain the wallet's open transactions, so this request does not keep a place in the queue.
  const covered =
    spend.native + own.openNativeUnits <= quoted.nativeUnits && spend.token + own.openTokenUnits <= quoted.tokenUnits;
  if (!covered) return { kind: 'Waits', detail: 'Funds', queued: false };
  const inTurn = lane.ahead < networkOf(network).inFlightMax - lane.unmined;
  const payable = unsigned.maxFeeUnits + lane.openNativeUnits <= quoted.sponsorUnits;
  if (!inTurn || !payable) return { kind: 'Waits', detail: inTurn ? 'Funds' : 'Turn', queued: true };

  const { chainId } = inFamily('evm', networkOf(network));
  const read = evmDecoderOf(network).decodeSponsored(unsigned.bytesHex);
  assertInsideSponsored(read, row, { nonce, chainId, operationNonce: operation.nonce, authorizationNonce });
  return {
    kind: 'Built',
    unsigned,
    nonce,
    operationHash,
    claims: [
      nonceClaim(sponsor, nonce),
      operationClaim(sender, operation.nonce),
      ...(authorizationNonce === null ? [] : [nonceClaim(sender, authorizationNonce)]),
    ],
    context: null,
    after: async (claiming) => (lane.asked.length > 0 ? wakeAsking(claiming, key, nonce + 1) : undefined),
  };
}
