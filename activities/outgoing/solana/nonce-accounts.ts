import { TransactionBody } from '../../../application/bodies/transactions';
import { proven } from '../../../application/causes/refused';
import { solanaDecoderOf } from '../../../chains/decoders';
import { NONCE_ACCOUNT_RENT_UNITS_MAX, nonceSeedsOf } from '../../../domain/nonce-accounts';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';

type Asked = Pick<OutgoingEntity, 'form' | 'replacementKind' | 'requestBody'>;

function creationIn({ form, replacementKind, requestBody }: Asked) {
  if (form !== 'Transaction' || replacementKind !== null) return undefined;
  const body = TransactionBody.safeParse(requestBody).data;
  return body?.kind === 'CreateSolanaNonceAccounts' ? body : undefined;
}

/** Undefined for any other request. */
export function nonceAccountsAsked(row: Asked): number | undefined {
  const body = creationIn(row);
  return body && (body.count ?? 1);
}

/**
 * Throws `UnprovenRequest` unless the bytes only create accounts for the authority in the signed text, from its seeds and for at
 * most the usual rent. The signed text states only the number of accounts and the authority. The rent and the free seeds came
 * from the chain, so the bytes must be checked.
 */
export function assertMakesNonceAccounts(row: Asked & Pick<OutgoingEntity, 'terms' | 'network' | 'fromAddress'>): void {
  const body = creationIn(row);
  if (body === undefined) return;
  const { terms, network, fromAddress } = row;
  const { count = 1, nonceAuthority = fromAddress } = body;
  proven(terms?.family === 'solana' && terms.blockhash === null, 'ContentDiffers terms');
  const made = solanaDecoderOf(network).nonceAccountsIn(terms.call.messageHex);
  proven(
    made && made.owner === fromAddress && made.authority === nonceAuthority && made.seeds.length === count,
    'ContentDiffers terms',
  );
  const seeds = nonceSeedsOf(fromAddress, nonceAuthority);
  proven(
    made.seeds.every((seed) => seeds.includes(seed)),
    'ContentDiffers terms',
  );
  proven(made.dearestUnits <= NONCE_ACCOUNT_RENT_UNITS_MAX, 'ContentDiffers terms');
}
