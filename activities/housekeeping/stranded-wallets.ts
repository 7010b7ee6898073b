import { restartWallet } from '../../application/wallets/create-wallet';
import type { DutyResult } from '../../domain/housekeeping';
import type { OpenRow } from '../../entities/housekeeping/housekeeping.store';
import {
  absenceReason,
  type CheckedRow,
  type DutyParts,
  ROWS_MAX,
  resultOf,
  STRANDED_AFTER_MS,
  startAgain,
  stranded,
} from './duty';

/**
 * After a refusal, the request to the signer is repeated only after this time, in which an operator can remove the cause.
 * Repeating the request does no harm, because no caller has seen the address of a wallet without a key.
 */
const AFTER_REFUSAL_MS = 3_600_000;

export function createWalletDuty({ db, housekeeping, statusOf, logger }: DutyParts) {
  const restart = async ({ row: { orgId, id }, standing }: CheckedRow<OpenRow>): Promise<boolean> => {
    const refused = standing.kind === 'Ended' && standing.how === 'FAILED';
    const since = standing.kind === 'Ended' ? (standing.closeTime?.getTime() ?? 0) : 0;
    if (refused && Date.now() - since < AFTER_REFUSAL_MS) return false;
    const routing = await db.withOrg(orgId, async (tx) => {
      const found = await restartWallet(tx, id);
      if (found) await startAgain(tx, id, found);
      return found;
    });
    if (!routing) return false;
    const line = { orgId, recordId: id, reason: absenceReason(standing) };
    if (refused) {
      const advice =
        'the signer refuses to create the key of a wallet: find the cause in the failed workflow and the log of the signer, and remove it; the key is requested again every hour';
      logger.error(line, advice);
    } else logger.warn(line, 'an unfinished wallet had no workflow: started again');
    return true;
  };

  return async (after: string | undefined): Promise<DutyResult> => {
    const rows = await housekeeping.unfinishedWallets({ after, olderThanMs: STRANDED_AFTER_MS, rowsMax: ROWS_MAX });
    let done = 0;
    for (const lost of await stranded(rows, ({ id }) => id, statusOf)) if (await restart(lost)) done += 1;
    return resultOf(rows, done);
  };
}
