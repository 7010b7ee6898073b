import { AppError } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import { ForgottenPaymentEntity } from '../../entities/deployment/forgotten-payment.entity';

type Payment = { readonly intentId: string | undefined; readonly intentDigest: string };

/**
 * Returns the error for a request that repeats a payment which was signed before a restore and is missing in the restored
 * database (S5). A request with the external id of the payment is refused for ever. A request that only has the same content is
 * refused until the date that the operator set at the release of the restored deployment.
 */
export async function whyForgotten(tx: Tx, { intentId, intentDigest }: Payment): Promise<AppError | undefined> {
  const [found] = await tx.rows(
    ForgottenPaymentEntity,
    `WHERE (t.intent_digest = $1 AND t.date_until > clock_timestamp()) OR ($2::text IS NOT NULL AND t.intent_id = $2) LIMIT 1`,
    [intentDigest, intentId ?? null],
  );
  if (!found) return undefined;
  return new AppError('PaidBeforeRestore', 'This payment was signed before the service was restored, and is not repeated', {
    signedRequestId: found.id,
    dateSigned: found.dateSigned.toISOString(),
    claim: found.claim,
  });
}
