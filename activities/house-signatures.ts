import { againRouting } from '../application/signatures';
import type { HouseResult } from '../domain/house';
import type { SignatureState } from '../domain/signatures';
import type { OpenRow } from '../entities/house/house.store';
import { signatureStore } from '../entities/signatures/signature.store';
import {
  type Asked,
  HELD_MAX,
  type HouseParts,
  OPEN_FOR_MS,
  ROWS_MAX,
  reasonOf,
  resultOf,
  startAgain,
  stranded,
  tickNow,
} from './house-work';

const ENDED: readonly SignatureState[] = ['Signed', 'Confirmed', 'Failed', 'Rejected'];

/** Finds open requests for signatures that no workflow carries any more; one that was asked to sign gets the same signature again. */
export function createSignatureDuty({ db, house, standingOf, logger }: HouseParts) {
  const restart = async ({ row: { orgId, id }, standing }: Asked<OpenRow>): Promise<boolean> => {
    const state = await db.withOrg(orgId, async (tx) => {
      const row = await signatureStore.lock(tx, id);
      if (ENDED.includes(row.state)) return undefined;
      await startAgain(tx, id, againRouting);
      return row.state;
    });
    if (state === undefined) return false;
    const reason = `${state}; ${reasonOf(standing)}`;
    logger.warn({ orgId, recordId: id, reason }, 'an open signature request had no workflow: started again');
    return true;
  };

  return async (after: string | undefined): Promise<HouseResult> => {
    const at = { after, olderThanMs: OPEN_FOR_MS, rowsMax: ROWS_MAX, tick: tickNow(), heldMax: HELD_MAX };
    const rows = await house.openSignatures(at);
    let done = 0;
    for (const lost of await stranded(rows, ({ id }) => id, standingOf)) if (await restart(lost)) done += 1;
    return resultOf(rows, done);
  };
}
