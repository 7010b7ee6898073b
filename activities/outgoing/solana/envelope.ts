import { solanaCodecOf } from '../../../chains/codecs';
import { solanaDecoderOf } from '../../../chains/decoders';
import type { SolanaLifetime } from '../../../chains/solana/types';
import { AppError, invariant } from '../../../domain/errors';
import type { SolanaRawTerms } from '../../../domain/transactions';
import { contractOf } from '../../../domain/transfers';
import { assetOfRow } from '../../../entities/outgoing/asset';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { digestOf } from '../../../platform/canonical';

type Read = { readonly kind: string; readonly blockhash?: string; readonly value?: string; readonly account?: string };

const sameLifetime = (read: Read, meant: SolanaLifetime): boolean =>
  meant.kind === 'blockhash'
    ? read.kind === 'blockhash' && read.blockhash === meant.blockhash
    : read.kind === 'durable-nonce' && read.account === meant.account && read.value === meant.value;

/**
 * Throws unless newly built bytes do exactly what was approved (S8). The decoder shares no code with the builder, and computes
 * the recipient's token account again.
 */
export function assertInsideTransfer(bytesHex: string, row: OutgoingEntity, lifetime: SolanaLifetime): void {
  const decoder = solanaDecoderOf(row.network);
  const decoded = decoder.decodeTransfer(bytesHex);
  const asset = assetOfRow(row);
  const accountOf = (owner: string): string => {
    if (asset.kind === 'Native') return owner;
    invariant(asset.kind === 'Spl' || asset.kind === 'Spl2022', 'Solana moves only Solana tokens');
    return decoder.associatedTokenAddress(owner, asset.contract, asset.kind);
  };
  assertAll({
    feePayer: decoded.feePayer === row.laneAddress,
    signers: decoded.signers.join() === [...new Set([row.laneAddress, row.fromAddress])].join(),
    sender: decoded.from === row.fromAddress && decoded.source === accountOf(row.fromAddress),
    recipient: decoded.destination === accountOf(row.toAddress),
    amount: decoded.amountUnits === BigInt(row.amountUnits),
    asset: decoded.asset.kind === asset.kind && contractOf(decoded.asset) === contractOf(asset),
    decimals: asset.kind === 'Native' || decoded.decimals === row.assetDecimals,
    memo: decoded.memo === (row.options.memo ?? null),
    creation: !decoded.createsDestination || row.options.createDestinationAccount === true,
    lifetime: sameLifetime(decoded.lifetime, lifetime),
    fee: decoded.maxFeeUnits <= BigInt(row.feeCeilingUnits),
    understood: decoded.opaque.length === 0,
  });
}

/** Every byte of a raw transaction is approved, except a blockhash that the caller left open. */
export function assertInsideRaw(bytesHex: string, row: OutgoingEntity, terms: SolanaRawTerms, lifetime: SolanaLifetime): void {
  const decoded = solanaDecoderOf(row.network).decode(bytesHex);
  const read = solanaCodecOf(row.network).termsOf(bytesHex, row.fromAddress, 'payload');
  assertAll({
    feePayer: decoded.feePayer === row.fromAddress && decoded.signers.length === 1,
    message: digestOf(read.call) === digestOf(terms.call),
    lifetime: sameLifetime(decoded.lifetime, lifetime),
    fee: decoded.maxFeeUnits <= BigInt(row.feeCeilingUnits),
    understood: decoded.opaque.length === 0,
  });
}

function assertAll(checks: Readonly<Record<string, boolean>>): void {
  const broken = Object.keys(checks).filter((name) => checks[name] !== true);
  if (broken.length > 0)
    throw new AppError('EnvelopeMismatch', `The built bytes differ from what was approved: ${broken.join(', ')}`);
}
