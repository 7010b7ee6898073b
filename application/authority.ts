import type { Caller } from '../domain/callers';
import { AppError, invariant } from '../domain/errors';
import type { Database, Tx } from '../entities/database';

/** A user action that was verified against this request and is to be consumed with its first write. */
export type VerifiedAction = { readonly id: string; consumed: boolean };

/** What a request may do: who asks, and the user action that authorises the change, if the operation needs one. */
export type Authority = { readonly caller: Caller; readonly action: VerifiedAction | undefined };

/**
 * Runs the first write of a request in one transaction that begins by consuming its user action. The consumption is one
 * conditional UPDATE, so of two requests with the same user action exactly one commits. If the work throws, the
 * transaction takes the consumption back.
 */
export async function act<T>(
  db: Database,
  { caller, action }: Authority,
  work: (tx: Tx, userActionId: string) => Promise<T>,
): Promise<T> {
  invariant(action, 'a change needs a user action');
  const result = await db.withOrg(caller.orgId, async (tx) => {
    const used = await tx.query(
      `UPDATE user_actions SET date_consumed = clock_timestamp()
       WHERE org_id = $1 AND id = $2 AND user_id = $3 AND date_signed IS NOT NULL AND date_consumed IS NULL
         AND date_expires > clock_timestamp()
       RETURNING id`,
      [caller.orgId, action.id, caller.userId],
    );
    if (used.length === 0) throw new AppError('UserActionUsed', 'user action has already been used');
    return work(tx, action.id);
  });
  action.consumed = true;
  return result;
}
