import type { Caller } from '../../domain/callers';
import { AppError, invariant } from '../../domain/errors';
import type { Database, Tx } from '../../entities/database';
import { userActionStore } from '../../entities/user-actions/user-action.store';

/** A user action that was verified against this request. The first write of the request uses up the action. */
export type VerifiedAction = {
  readonly id: string;
  /** The exact text of the signed body. */
  readonly text: string;
  consumed: boolean;
  /** Texts in ASCII for the headers of the response. */
  warnings?: string[];
};

/** `action` is undefined if the operation needs no user action. */
export type Authority = { readonly caller: Caller; readonly action: VerifiedAction | undefined };

/**
 * Adds a warning, which the response carries in a header. Header values are ASCII, so a warning contains only ids and names of
 * the API.
 */
export function warn(action: VerifiedAction | undefined, warning: string): void {
  if (action) action.warnings = [...(action.warnings ?? []), warning];
}

/**
 * Runs the first write of a request in one database transaction. The transaction begins with a conditional UPDATE that uses up
 * the user action, so of two requests with the same user action exactly one commits. If the credential of the action was removed
 * meanwhile, the action is treated as used. The queries in `beside` are sent together with the UPDATE.
 */
export async function act<T, B = undefined>(
  db: Database,
  { caller, action }: Authority,
  work: (tx: Tx, userActionId: string, beside: B | undefined) => Promise<T>,
  beside?: (tx: Tx) => Promise<B>,
): Promise<T> {
  invariant(action, 'a change needs a user action');
  const result = await db.withOrg(caller.orgId, async (tx) => {
    const [isConsumed, read] = await Promise.all([userActionStore.consume(tx, action.id, caller.userId), beside?.(tx)]);
    if (!isConsumed) throw new AppError('UserActionUsed', 'user action has already been used');
    return work(tx, action.id, read);
  });
  action.consumed = true;
  return result;
}
