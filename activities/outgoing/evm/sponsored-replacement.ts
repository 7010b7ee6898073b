import { evmCodecOf } from '../../../chains/codecs';
import { evmDecoderOf } from '../../../chains/decoders';
import type { EvmReader, FeeTerms, Sponsored, UnsignedTx } from '../../../chains/evm/types';
import { ENTRY_POINT, nonceQuestion } from '../../../chains/evm/user-operations';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import { AppError } from '../../../domain/errors';
import { lowestHole } from '../../../domain/nonces';
import type { Tx } from '../../../entities/database';
import { laneStore, nonceClaim, operationClaim } from '../../../entities/outgoing/lane.store';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import type { PayloadEntity } from '../../../entities/outgoing/payload.entity';
import type { BuildOutcome, BuildUnderLock } from '../family-forms';
import { assertSponsorMaySign } from '../sponsor-keys';
import { assertInsideSponsored } from './envelope';
import { higherPrices } from './prices';
import { callsOf, sponsorAddressOf } from './sponsored';

type Rebuilt = { readonly sponsored: Sponsored; readonly fees: FeeTerms };
type Quote = Rebuilt & { readonly sponsorCount: number; readonly sponsorUnits: bigint };

/**
 * The new operation and the operation of the rival (the transaction to replace) have the same nonce at the entry point. So at
 * most one of the two is ever executed, no matter who sends it (S7). A speed-up is the same operation in a transaction with a
 * higher fee. A cancellation is an operation that does nothing.
 */
export async function sponsoredOver(reader: EvmReader, row: OutgoingEntity, rival: PayloadEntity): Promise<Rebuilt> {
  const { network, fromAddress: sender } = row;
  const sponsor = sponsorAddressOf(row);
  const before = evmDecoderOf(network).decodeSponsored(rival.unsignedHex);
  const beforeFees = evmCodecOf(network).sponsoredFeesIn(rival.unsignedHex);
  const isSame = row.replacementKind !== 'Cancel';
  const { nonce } = before.operation;
  const calls = isSame ? before.operation.calls : callsOf(row);
  const { verificationGas, callGas, isDelegated, ...market } = await reader.sponsoredFees(
    { sender, sponsor, calls, nonce },
    'Fast',
  );
  const authorizationNonce = isDelegated ? null : (before.authorization?.nonce ?? null);
  if (!isDelegated && authorizationNonce === null)
    throw new AppError('TransferWouldFail', 'The wallet no longer runs the code that sponsoring needs');
  const operation = isSame ? before.operation : { sender, nonce, calls, verificationGas, callGas };
  const gas = isSame && beforeFees.gas > market.gas ? beforeFees.gas : market.gas;
  return {
    sponsored: { operation, sponsor, authorizationNonce },
    fees: { ...market, ...higherPrices(beforeFees, market), gas },
  };
}

export const buildOver = ({ network }: OutgoingEntity, { sponsored, fees }: Rebuilt, nonce: number) =>
  evmCodecOf(network).buildSponsored(sponsored, nonce, fees);

export async function quoteSponsoredReplacement(
  reader: EvmReader,
  asked: OutgoingEntity,
  rival: PayloadEntity,
): Promise<BuildUnderLock> {
  const sponsor = sponsorAddressOf(asked);
  const sponsorCount = await reader.transactionCount(sponsor, 'latest');
  const [rebuilt, sponsorUnits] = await Promise.all([sponsoredOver(reader, asked, rival), reader.nativeBalance(sponsor)]);
  await assertOpen(reader, rebuilt);
  const quoted = { ...rebuilt, sponsorCount, sponsorUnits };
  return (tx, row) => place(tx, row, rival, quoted);
}

/** Throws if the operation was executed. The entry point counts the operation's nonce, no matter who sent the operation. */
async function assertOpen(reader: EvmReader, { sponsored: { operation } }: Rebuilt): Promise<void> {
  const used = BigInt(await reader.call(ENTRY_POINT, nonceQuestion(operation.sender, operation.nonce), 'operation'));
  if (used !== operation.nonce)
    throw new AppError('TransferWouldFail', 'The operation was executed before another one could replace it');
}

async function place(tx: Tx, row: OutgoingEntity, rival: PayloadEntity, quoted: Quote): Promise<BuildOutcome> {
  await assertSponsorMaySign(tx, row, ['Active', 'Deactivated', 'Archived']);
  const { operation, sponsor, authorizationNonce } = quoted.sponsored;
  if (!(await laneStore.shares(tx, row, 'operation', operationClaim(operation.sender, operation.nonce).key)))
    throw new AppError('TransferWouldFail', 'The operation ended before another one could replace it');
  const at = await nonceFor(tx, row, rival, quoted);
  const { unsigned, operationHash } = buildOver(row, quoted, at.nonce);
  if (unsigned.maxFeeUnits > BigInt(row.feeCeilingUnits)) return { kind: 'FeeAboveCeiling' };
  if (unsigned.maxFeeUnits > quoted.sponsorUnits)
    throw new AppError('TransferWouldFail', 'The fee sponsor cannot pay the higher fee');
  assertAsApproved(row, unsigned, { nonce: at.nonce, operationNonce: operation.nonce, authorizationNonce });
  const claims = at.isOwn ? [nonceClaim(sponsor, at.nonce)] : [];
  return { kind: 'Built', unsigned, nonce: at.nonce, operationHash, claims, context: null };
}

/**
 * Returns the rival's nonce or, if the chain has used that nonce, the sponsor's lowest free nonce, which needs a claim
 * (`isOwn`). A transaction can use up its nonce without executing its operation, so the rival's operation can still be open.
 */
async function nonceFor(
  tx: Tx,
  row: OutgoingEntity,
  rival: PayloadEntity,
  { sponsorCount, sponsored: { sponsor } }: Quote,
): Promise<{ readonly nonce: number; readonly isOwn: boolean }> {
  const { nonce } = rival;
  if (nonce !== null && nonce >= sponsorCount) return { nonce, isOwn: false };
  const { taken } = await laneStore.view(tx, { network: row.network, address: sponsor }, row, sponsorCount);
  return { nonce: lowestHole(taken, sponsorCount), isOwn: true };
}

type Built = { readonly nonce: number; readonly operationNonce: bigint; readonly authorizationNonce: number | null };

function assertAsApproved(row: OutgoingEntity, { bytesHex }: UnsignedTx, built: Built): void {
  const { chainId } = inFamily('evm', networkOf(row.network));
  assertInsideSponsored(evmDecoderOf(row.network).decodeSponsored(bytesHex), row, { ...built, chainId });
}
