import { noteFailure, progressOf } from '../../application/travel-rules/progress';
import type { TransferRef } from '../../domain/transfer-steps';
import type { TravelRuleProgress } from '../../domain/travel-rules';
import type { Database } from '../../entities/database';

type Dependencies = { readonly db: Database };

export function createTravelRuleProgressActivities({ db }: Dependencies) {
  return {
    /** Returns the progress of the message. Ends the message first if it has expired. */
    readTravelRule: ({ orgId }: TransferRef, messageId: string): Promise<TravelRuleProgress> =>
      db.withOrg(orgId, (tx) => progressOf(tx, messageId)),

    /** Records that the vendor could not be reached. */
    failTravelRule: ({ orgId }: TransferRef, messageId: string): Promise<TravelRuleProgress> =>
      db.withOrg(orgId, (tx) => noteFailure(tx, messageId, 'Failed', 'NoAnswer')),
  };
}
