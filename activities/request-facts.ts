import { combinedEffect, knownEffects } from '../application/evm/combined-effect';
import { evmCodecOf } from '../chains/codecs';
import { evmDecoderOf, solanaDecoderOf } from '../chains/decoders';
import { networkOf } from '../chains/networks';
import { AppError, invariant } from '../domain/errors';
import type { SolanaRawTerms, UserOperationTerms } from '../domain/transactions';
import { contractOf } from '../domain/transfers';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import { digestOf } from '../platform/canonical';
import { assertAsRecorded } from './utxo/raw-preparation';

/** Nonce and price say nothing of what a transaction does, and are not known yet when it is judged. */
const NO_NONCE = 0;
const NO_PRICE = { gas: 1n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n } as const;

/**
 * Who would receive value; empty where nobody can tell. A raw transaction is judged by its bytes, read by the code that did not build
 * them, and never by what the request's own reading says they do.
 */
export function recipientsOf(row: TransferEntity): readonly string[] {
  if (row.terms === null) return [row.toAddress];
  if (row.terms.family === 'solana') return recipientsOfSolana(row, row.terms);
  // Of the Bitcoin family too the bytes are the record, and several may be paid by one transaction.
  if (row.terms.family === 'utxo') return [...assertAsRecorded(row, row.terms).recipients];
  if (row.terms.family === 'evm-operation') return recipientsOfOperation(row, row.terms);
  const { call } = row.terms;
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
  // Where there is no such token the contract does what it likes, whatever its data looks like.
  const isKnown = asset.kind !== 'Call' && row.assetDecimals !== null;
  if (isAsRecorded) return isKnown ? [recipient] : [];
  throw new AppError('EnvelopeMismatch', 'The bytes of the transaction differ from what was recorded of it');
}

/**
 * Whether a transaction can pay nobody but its sender: every recipient is the sender and nothing of value moves. On Bitcoin's family value may move,
 * because all of it comes back. `recipients` are those of `recipientsOf`, which has compared the bytes with the row.
 */
export function paysNobody(row: TransferEntity, recipients: readonly string[]): boolean {
  const { terms, fromAddress, assetKind, amountUnits, network } = row;
  if (terms?.family === 'solana' && solanaDecoderOf(network).advancesAlone(terms.call.messageHex)) return true;
  const isToItself = recipients.length > 0 && recipients.every((recipient) => recipient === fromAddress);
  return isToItself && assetKind === 'Native' && (amountUnits === '0' || networkOf(network).family === 'utxo');
}

/** Of several calls each is read by itself; the recipients are known where those of all are. */
function recipientsOfOperation(row: TransferEntity, { call, tokens }: UserOperationTerms): readonly string[] {
  const { fromAddress: sender, sponsorAddress: sponsor, network } = row;
  invariant(sponsor !== null, 'an operation names who pays');
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
  if (!isAsRecorded) throw new AppError('EnvelopeMismatch', 'The calls of the operation differ from what was recorded of it');
  return effects.some((one) => one.asset.kind === 'Call') ? [] : [...new Set(effects.map((one) => one.recipient))];
}

/** Of Solana the message is the record: what it does is read from its bytes each time. Nobody gains by a call, as far as anybody can tell. */
function recipientsOfSolana(row: TransferEntity, { call }: SolanaRawTerms): readonly string[] {
  const { asset, recipient, amountUnits } = solanaDecoderOf(row.network).effectOf(call.messageHex);
  if (asset.kind === 'Call' || row.assetKind === 'Call' || row.assetDecimals === null) return [];
  const isAsRecorded =
    asset.kind === row.assetKind &&
    contractOf(asset) === row.contract &&
    recipient === row.toAddress &&
    amountUnits === BigInt(row.amountUnits);
  if (isAsRecorded) return [recipient];
  throw new AppError('EnvelopeMismatch', 'The bytes of the transaction differ from what was recorded of it');
}
