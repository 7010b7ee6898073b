import { TransactionBody } from '../../../application/bodies/transactions';
import { proven } from '../../../application/causes/refused';
import { solanaDecoderOf } from '../../../chains/decoders';
import { NONCE_ACCOUNT_RENT_UNITS_MAX, nonceSeeds } from '../../../domain/nonce-accounts';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';

type Asked = Pick<OutgoingEntity, 'form' | 'replacementKind' | 'requestBody'>;

/** Undefined for any other request. */
export function nonceAccountsAsked({ form, replacementKind, requestBody }: Asked): number | undefined {
  if (form !== 'Transaction' || replacementKind !== null) return undefined;
  const body = TransactionBody.safeParse(requestBody).data;
  return body?.kind === 'CreateSolanaNonceAccounts' ? (body.count ?? 1) : undefined;
}

/**
 * Throws `UnprovenRequest` unless the bytes only create accounts of the wallet, from `nonceSeeds` and for at most the usual
 * rent. The signed text states only the number of accounts. The rent and the free seeds came from the chain, so the bytes must
 * be checked.
 */
export function assertMakesNonceAccounts(row: Asked & Pick<OutgoingEntity, 'terms' | 'network' | 'fromAddress'>): void {
  const count = nonceAccountsAsked(row);
  if (count === undefined) return;
  const { terms, network, fromAddress } = row;
  proven(terms?.family === 'solana' && terms.blockhash === null, 'ContentDiffers terms');
  const made = solanaDecoderOf(network).nonceAccountsIn(terms.call.messageHex);
  proven(made && made.owner === fromAddress && made.seeds.length === count, 'ContentDiffers terms');
  proven(
    made.seeds.every((seed) => nonceSeeds.includes(seed)),
    'ContentDiffers terms',
  );
  proven(made.dearestUnits <= NONCE_ACCOUNT_RENT_UNITS_MAX, 'ContentDiffers terms');
}
