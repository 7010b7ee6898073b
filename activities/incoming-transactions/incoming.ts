import { type IncomingJudgement, judgeIncoming, recordIncoming } from '../../application/incoming-transactions/incoming';
import type { IncomingTransfer } from '../../domain/incoming';
import type { Database } from '../../entities/database';

type Ref = { readonly orgId: string };

/** Activities of the main queue for incoming transactions. */
export function createIncomingActivities({ db }: { readonly db: Database }) {
  return {
    /** Records an incoming transaction that the reader of the chain reports. A repeated report changes nothing. */
    async recordIncoming({ orgId, incoming }: Ref & { readonly incoming: IncomingTransfer }): Promise<void> {
      await db.withOrg(orgId, (tx) => recordIncoming(tx, incoming));
    },

    /** Judges a recorded transaction. A repeated run returns the outcome in the row. */
    judgeIncoming: ({ orgId, incomingId }: Ref & { readonly incomingId: string }): Promise<IncomingJudgement> =>
      db.withOrg(orgId, (tx) => judgeIncoming(tx, incomingId)),
  };
}
