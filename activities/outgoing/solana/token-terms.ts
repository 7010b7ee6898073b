import { solanaCodecOf } from '../../../chains/codecs';
import type { SolanaReader, SolanaTokenTerms } from '../../../chains/solana/types';
import { AppError } from '../../../domain/errors';
import { withheldOf } from '../../../domain/token-transfer-fee';
import { assetOfRow } from '../../../entities/outgoing/asset';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';

const wouldFail = (message: string) => new AppError('TransferWouldFail', message);

export type TokenFacts = { readonly terms: SolanaTokenTerms; readonly heldUnits: bigint };

/**
 * Weeks may pass between the request and its approval, so the token accounts are read again. Returns undefined for SOL. Throws
 * `TransferWouldFail` if the token can no longer be sent.
 */
export async function readToken(reader: SolanaReader, row: OutgoingEntity): Promise<TokenFacts | undefined> {
  const asset = assetOfRow(row);
  if (asset.kind !== 'Spl' && asset.kind !== 'Spl2022') return undefined;
  const { kind: program, contract } = asset;
  const codec = solanaCodecOf(row.network);
  const accounts = await Promise.all(
    [row.fromAddress, row.toAddress].map((owner) => codec.associatedTokenAddress(owner, contract, program)),
  );
  const [source = '', destination = ''] = accounts;
  const [mint, [held, theirs]] = await Promise.all([reader.mint(contract), reader.tokenAccounts(accounts)]);
  if (mint?.program !== program || mint.decimals !== row.assetDecimals)
    throw wouldFail('The token has changed since the request');
  if (withheldOf(mint, BigInt(row.amountUnits)) > BigInt(row.options.withheldUnits ?? 0))
    throw wouldFail('The token withholds more of the amount than at the time of the request');
  if (mint.blockers.length > 0) throw wouldFail(`The token cannot be sent now: ${mint.blockers.join(', ')}`);
  if (held?.owner !== row.fromAddress || held.units < BigInt(row.amountUnits))
    throw wouldFail('Insufficient funds for the amount');
  if (held.isFrozen) throw wouldFail('The token account of the wallet is frozen');
  if (theirs?.isFrozen) throw wouldFail('The token account of the recipient is frozen');
  const createsDestination = theirs === undefined;
  if (createsDestination && row.options.createDestinationAccount !== true)
    throw wouldFail('The recipient has no account for this token');
  if (theirs && theirs.owner !== row.toAddress)
    throw wouldFail('The token account of the recipient now belongs to another owner');
  if (theirs?.needsMemo && row.options.memo === undefined) throw wouldFail('The recipient accepts this token only with a memo');
  return { terms: { program, decimals: mint.decimals, source, destination, createsDestination }, heldUnits: held.units };
}
