import { noteFailure, progressOf } from '../../application/travel-rules/progress';
import type { TransferRef } from '../../domain/transfer-steps';
import type { TravelRuleProgress } from '../../domain/travel-rules';
import type { Database } from '../../entities/database';

type Dependencies = { readonly db: Database };

/** Activities of the main queue through which a transfer reads the status of its travel rule message. */
export function createTravelRuleProgressActivities({ db }: Dependencies) {
  return {
    /** Returns the status of the message. Ends the message if it has expired. */
    readTravelRule: ({ orgId }: TransferRef, messageId: string): Promise<TravelRuleProgress> =>
      db.withOrg(orgId, (tx) => progressOf(tx, messageId)),

    /** Ends a message after the vendor could not be reached. */
    failTravelRule: ({ orgId }: TransferRef, messageId: string): Promise<TravelRuleProgress> =>
      db.withOrg(orgId, (tx) => noteFailure(tx, messageId, 'Failed', 'NoAnswer')),
  };
}
