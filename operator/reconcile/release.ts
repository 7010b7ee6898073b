import { failTransfer } from '../../application/outgoing/end/fail';
import { DAY_MS } from '../../domain/durations';
import type { Database } from '../../entities/database';
import { ForgottenPaymentEntity } from '../../entities/deployment/forgotten-payment.entity';
import { freezeStore } from '../../entities/deployment/freeze.store';
import { OrganizationEntity } from '../../entities/organizations/organization.entity';
import { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { thawState } from '../../signer/wire/operator-api';
import type { Comparison } from './compare';
import type { SignedEntry } from './signed';

/**
 * For this many days, a payment with the same amount, wallet and recipient as a forgotten payment is refused. A week is enough,
 * because callers retry only for hours.
 */
export const SAME_PAYMENT_DAYS = 7;
const UNSIGNED_STATES = ['Requested', 'AwaitingApproval', 'Approved'] as const;
const REASON =
  'This transfer was signed before the service was restored from a backup. The chain shows whether it was paid; it is not repeated';

type Released = { readonly kept: number; readonly ended: number };

/**
 * Ends a freeze. Records every signed request with a finding `Forgotten` or `Behind`. The record prevents a repeated request from
 * paying again (S5). Every transfer in a state of `UNSIGNED_STATES` is ended. The signer is released first, then the service.
 */
export async function release(
  db: Database,
  ownerUrl: string,
  stateDir: string,
  { findings }: Comparison,
  log: readonly SignedEntry[],
): Promise<Released> {
  const dateUntil = new Date(Date.now() + SAME_PAYMENT_DAYS * DAY_MS);
  const signed = new Map(log.map((one) => [one.requestId, one]));
  let [kept, ended] = [0, 0];
  for (const { kind, requestId, claim } of findings) {
    const one = requestId === null ? undefined : signed.get(requestId);
    if (!one || (kind !== 'Forgotten' && kind !== 'Behind')) continue;
    await db.withOrg(one.orgId, async (tx) => {
      // An organisation that is missing from the database has no wallet that could pay.
      if (!(await tx.row(OrganizationEntity, 'WHERE t.id = $1', [one.orgId]))) return;
      const row = {
        orgId: one.orgId,
        id: one.requestId,
        intentId: one.intentId ?? null,
        intentDigest: one.intentDigest,
        claim: claim ?? '',
        dateSigned: new Date(one.at),
        dateUntil,
      };
      if (await tx.insertOnce(ForgottenPaymentEntity, row)) kept += 1;
      const transfer = await tx.row(OutgoingEntity, 'WHERE t.id = $1', [one.requestId]);
      if (!transfer || !UNSIGNED_STATES.some((state) => state === transfer.state)) return;
      await failTransfer(tx, one.requestId, UNSIGNED_STATES, REASON);
      ended += 1;
    });
  }
  await thawState(stateDir);
  await freezeStore.thaw(ownerUrl);
  return { kept, ended };
}
