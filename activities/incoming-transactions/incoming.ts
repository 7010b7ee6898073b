import { type IncomingJudgement, judgeIncoming, recordIncoming } from '../../application/incoming-transactions/incoming';
import type { IncomingTransfer } from '../../domain/incoming';
import type { Database } from '../../entities/database';

type Ref = { readonly orgId: string };

export function createIncomingActivities({ db }: { readonly db: Database }) {
  return {
    /** A repeated report changes nothing. */
    async recordIncoming({ orgId, incoming }: Ref & { readonly incoming: IncomingTransfer }): Promise<void> {
      await db.withOrg(orgId, (tx) => recordIncoming(tx, incoming));
    },

    /** A repeated run returns the outcome in the row. */
    judgeIncoming: ({ orgId, incomingId }: Ref & { readonly incomingId: string }): Promise<IncomingJudgement> =>
      db.withOrg(orgId, (tx) => judgeIncoming(tx, incomingId)),
  };
}
