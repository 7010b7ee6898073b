import { expireChange, failChange, type Releasing, reviewChange } from '../../application/change-requests/release';
import type { ChangeRef, ChangeStanding } from '../../domain/change-requests';
import { AppError, invariant } from '../../domain/errors';
import type { Database, Tx } from '../../entities/database';

type Dependencies = Releasing & { readonly db: Database };
const INTERNAL = 500;

export function createChangeRequestActivities({ db, ...releasing }: Dependencies) {
  /** Ends the change if `look` finds that the change cannot be applied. Rethrows any other error, for a retry. */
  const settle = async ({ orgId, changeRequestId }: ChangeRef, look: (tx: Tx) => Promise<ChangeStanding>) => {
    try {
      return await db.withOrg(orgId, look);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= INTERNAL) throw error;
      return db.withOrg(orgId, (tx) => failChange(tx, changeRequestId, error.message));
    }
  };

  return {
    /** Applies an approved change or rejects a denied change, in one transaction. */
    async reviewChangeRequest(ref: ChangeRef): Promise<ChangeStanding> {
      return settle(ref, (tx) => reviewChange(tx, ref.changeRequestId, releasing));
    },

    /** Reviews a change whose approval has expired. Keeps a decision that votes made before the expiry. */
    async expireChangeRequest(ref: ChangeRef, approvalId: string): Promise<ChangeStanding> {
      return settle(ref, (tx) => expireChange(tx, ref.changeRequestId, approvalId, releasing));
    },

    async failChangeRequest({ orgId, changeRequestId }: ChangeRef): Promise<'Applied' | 'Failed' | 'Rejected'> {
      const reason = 'The service could not continue this change; none of it was written';
      const standing = await db.withOrg(orgId, (tx) => failChange(tx, changeRequestId, reason));
      invariant(standing.outcome === 'Ended', 'a change that is given up has ended');
      return standing.status;
    },
  };
}
