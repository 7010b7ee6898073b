import { expireChange, failChange, type Releasing, reviewChange } from '../../application/change-requests/release';
import type { ChangeRef, ChangeStanding } from '../../domain/change-requests';
import { AppError, invariant } from '../../domain/errors';
import type { Database, Tx } from '../../entities/database';

type Dependencies = Releasing & { readonly db: Database };
const INTERNAL = 500;

/** Activities of the main queue by which a change learns what people decided, and is applied. */
export function createChangeRequestActivities({ db, ...releasing }: Dependencies) {
  /** What stands in the way of an approved change, and is no fault of ours, ends it with that reason. */
  const settle = async ({ orgId, changeRequestId }: ChangeRef, look: (tx: Tx) => Promise<ChangeStanding>) => {
    try {
      return await db.withOrg(orgId, look);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= INTERNAL) throw error;
      return db.withOrg(orgId, (tx) => failChange(tx, changeRequestId, error.message));
    }
  };

  return {
    /** Where the change stands; an approved one is applied and a denied one rejected in the same transaction. */
    async reviewChangeRequest(ref: ChangeRef): Promise<ChangeStanding> {
      return settle(ref, (tx) => reviewChange(tx, ref.changeRequestId, releasing));
    },

    /** The same when its time is over. */
    async expireChangeRequest(ref: ChangeRef, approvalId: string): Promise<ChangeStanding> {
      return settle(ref, (tx) => expireChange(tx, ref.changeRequestId, approvalId, releasing));
    },

    /** Ends a change that cannot be looked at any more. */
    async failChangeRequest({ orgId, changeRequestId }: ChangeRef): Promise<'Applied' | 'Failed' | 'Rejected'> {
      const reason = 'The service could not go on with this change; nothing of it was written';
      const standing = await db.withOrg(orgId, (tx) => failChange(tx, changeRequestId, reason));
      invariant(standing.outcome === 'Ended', 'a change that is given up has ended');
      return standing.status;
    },
  };
}
