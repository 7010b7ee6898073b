import { combinedEffect, knownEffects } from '../../../application/outgoing/evm/combined-effect';
import { evmCodecOf } from '../../../chains/codecs';
import { evmDecoderOf } from '../../../chains/decoders';
import { AppError, invariant } from '../../../domain/errors';
import { evmTerms, type TransactionTerms, type UserOperationTerms } from '../../../domain/transactions';
import { contractOf } from '../../../domain/transfers';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { digestOf } from '../../../platform/canonical';

/** A transaction's nonce and price are unknown while the transaction is judged, and do not affect its recipients. */
const NO_NONCE = 0;
const NO_PRICE = { gas: 1n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n } as const;

/** Reads the recipients from the bytes. */
export function recipientsOfEvm(row: OutgoingEntity, terms: TransactionTerms): readonly string[] {
  if (terms.family === 'evm-operation') return recipientsOfOperation(row, terms);
  const { call } = evmTerms(terms);
  const { bytesHex } = evmCodecOf(row.network).buildCall(call, NO_NONCE, NO_PRICE);
  const decoded = evmDecoderOf(row.network).decodeCall(bytesHex);
  const { asset, recipient, amountUnits } = decoded.effect;
  const isAsRecorded =
    decoded.opaque.length === 0 &&
    digestOf(decoded.call) === digestOf(call) &&
    asset.kind === row.assetKind &&
    (asset.kind === 'Call' ? null : contractOf(asset)) === row.contract &&
    recipient === row.toAddress &&
    amountUnits === BigInt(row.amountUnits);
  // A contract that is not a known token may do anything, even if the call data looks like a transfer.
  const isKnown = asset.kind !== 'Call' && row.assetDecimals !== null;
  if (isAsRecorded) return isKnown ? [recipient] : [];
  throw new AppError('EnvelopeMismatch', 'The bytes of the transaction differ from its record');
}

/** Returns an empty list if the recipient of any call is unknown. */
function recipientsOfOperation(row: OutgoingEntity, { call, tokens }: UserOperationTerms): readonly string[] {
  const { fromAddress: sender, sponsorAddress: sponsor, network } = row;
  invariant(sponsor !== null, 'an operation names its sponsor');
  const operation = { sender, nonce: 0n, calls: call, verificationGas: 0n, callGas: 0n };
  const sponsored = { operation, sponsor, authorizationNonce: null };
  const { unsigned } = evmCodecOf(network).buildSponsored(sponsored, NO_NONCE, NO_PRICE);
  const read = evmDecoderOf(network).decodeSponsored(unsigned.bytesHex);
  const effects = knownEffects(read.effects, tokens);
  const { asset, recipient, amountUnits } = combinedEffect(effects);
  const isAsRecorded =
    read.opaque.length === 0 &&
    digestOf(read.operation.calls) === digestOf(call) &&
    asset.kind === row.assetKind &&
    (asset.kind === 'Call' ? null : contractOf(asset)) === row.contract &&
    recipient === row.toAddress &&
    amountUnits === BigInt(row.amountUnits);
  if (!isAsRecorded) throw new AppError('EnvelopeMismatch', 'The calls of the operation differ from its record');
  return effects.some((one) => one.asset.kind === 'Call') ? [] : [...new Set(effects.map((one) => one.recipient))];
}
