import { type IncomingJudgement, judgeIncoming, recordIncoming } from '../../application/incoming-transactions/incoming';
import type { IncomingTransfer } from '../../domain/incoming';
import type { Database } from '../../entities/database';

type Ref = { readonly orgId: string };

/** Activities of the main queue about what comes to wallets from outside. */
export function createIncomingActivities({ db }: { readonly db: Database }) {
  return {
    /** The intake: whoever reads the chain reports here what came in, as often as it likes. */
    async recordIncoming({ orgId, incoming }: Ref & { readonly incoming: IncomingTransfer }): Promise<void> {
      await db.withOrg(orgId, (tx) => recordIncoming(tx, incoming));
    },

    /** Run again it answers what the row says by then. */
    judgeIncoming: ({ orgId, incomingId }: Ref & { readonly incomingId: string }): Promise<IncomingJudgement> =>
      db.withOrg(orgId, (tx) => judgeIncoming(tx, incomingId)),
  };
}
