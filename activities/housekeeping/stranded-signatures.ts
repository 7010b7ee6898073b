import { againRouting } from '../../application/signatures/request-signature';
import type { DutyResult } from '../../domain/housekeeping';
import { SIGNATURE_DONE } from '../../domain/signatures';
import type { OpenRow } from '../../entities/housekeeping/housekeeping.store';
import { signatureStore } from '../../entities/signatures/signature.store';
import {
  absenceReason,
  type CheckedRow,
  type DutyParts,
  HELD_ROWS_MAX,
  ROWS_MAX,
  resultOf,
  STRANDED_AFTER_MS,
  startAgain,
  stranded,
  tickNow,
} from './duty';

/** Starts lost workflows again. A request that the signer has signed gets the same signature again. */
export function createSignatureDuty({ db, housekeeping, statusOf, logger }: DutyParts) {
  const restart = async ({ row: { orgId, id }, standing }: CheckedRow<OpenRow>): Promise<boolean> => {
    const state = await db.withOrg(orgId, async (tx) => {
      const row = await signatureStore.lock(tx, id);
      if (SIGNATURE_DONE.includes(row.state)) return undefined;
      await startAgain(tx, id, againRouting);
      return row.state;
    });
    if (state === undefined) return false;
    const reason = `${state}; ${absenceReason(standing)}`;
    logger.warn({ orgId, recordId: id, reason }, 'an open signature request had no workflow: started again');
    return true;
  };

  return async (after: string | undefined): Promise<DutyResult> => {
    const at = { after, olderThanMs: STRANDED_AFTER_MS, rowsMax: ROWS_MAX, tick: tickNow(), heldMax: HELD_ROWS_MAX };
    const rows = await housekeeping.openSignatures(at);
    let done = 0;
    for (const lost of await stranded(rows, ({ id }) => id, statusOf)) if (await restart(lost)) done += 1;
    return resultOf(rows, done);
  };
}
