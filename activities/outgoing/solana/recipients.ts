import { solanaDecoderOf } from '../../../chains/decoders';
import { AppError } from '../../../domain/errors';
import { solanaTerms, type TransactionTerms } from '../../../domain/transactions';
import { contractOf } from '../../../domain/transfers';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';

/** Reads the recipients from the bytes of the message. Returns an empty list for a call or an unknown token. */
export function recipientsOfSolana(row: OutgoingEntity, terms: TransactionTerms): readonly string[] {
  const { asset, recipient, amountUnits } = solanaDecoderOf(row.network).effectOf(solanaTerms(terms).call.messageHex);
  if (asset.kind === 'Call' || row.assetKind === 'Call' || row.assetDecimals === null) return [];
  const isAsRecorded =
    asset.kind === row.assetKind &&
    contractOf(asset) === row.contract &&
    recipient === row.toAddress &&
    amountUnits === BigInt(row.amountUnits);
  if (isAsRecorded) return [recipient];
  throw new AppError('EnvelopeMismatch', 'The bytes of the transaction differ from its record');
}

export const advancesAlone = ({ terms, network }: OutgoingEntity): boolean =>
  terms?.family === 'solana' && solanaDecoderOf(network).advancesAlone(terms.call.messageHex);
