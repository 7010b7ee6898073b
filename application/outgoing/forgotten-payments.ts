import { AppError } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import { ForgottenPaymentEntity } from '../../entities/deployment/forgotten-payment.entity';

type Payment = { readonly intentId: string | undefined; readonly intentDigest: string };

/**
 * Returns the error `PaidBeforeRestore` for a payment that was signed before a restore and that the restored database lacks
 * (S5). A payment with the same external id is refused for ever. A payment that is only equal is refused until a date that the
 * operator set when releasing the restored deployment.
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
