import { AppError } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import { ForgottenPaymentEntity } from '../../entities/deployment/forgotten-payment.entity';

type Payment = { readonly intentId: string | undefined; readonly intentDigest: string };

/**
 * Throws `PaidBeforeRestore` for a payment that was signed before a restore and that the restored database lacks (S5). If the
 * external id is the same, the payment is refused for ever. If only the payment is equal, it is refused until a date that the
 * operator's release set.
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
