import { CHAINS, type Chain } from '../../application/hash-chains/chains';
import { keepCheckpoint } from '../../application/hash-chains/checkpoints';
import { numberAll } from '../../application/hash-chains/number-pending';
import type { HashChain } from '../../domain/hash-chains';
import type { DutyResult } from '../../domain/housekeeping';
import type { SignerClient } from '../../signer/protocol';
import { type DutyParts, isSignerAway, ROWS_MAX, resultOf } from './duty';

export type HeadAttestingParts = { readonly signer: Pick<SignerClient, 'attestFeed' | 'attestAuditLog'> };
type Refused = { readonly orgId: string; readonly err: unknown };

const ORDERS = { feed: 'attestFeed', audit: 'attestAuditLog' } as const satisfies Record<HashChain, keyof SignerClient>;
const WORDS = { feed: ['the feed', 'the feeds'], audit: ['the audit log', 'the audit logs'] } as const;

/**
 * Lets the signer attest the last item (head) of each chain. Before that, numbers the items without a number, such as events
 * that a relay of the previous release delivered.
 */
function headDuty<Item, Content>(
  chain: Chain<Item, Content>,
  { db, housekeeping, signer, logger }: DutyParts & HeadAttestingParts,
) {
  const { name, store } = chain;
  const attest = async (orgId: string): Promise<void> => {
    await numberAll(db, chain, orgId);
    const head = await store.head(db.read(orgId));
    if (!head || head.sequence === 0) return;
    const signed = await signer[ORDERS[name]]({ orgId, sequence: head.sequence, hash: head.hash });
    await db.withOrg(orgId, (tx) => keepCheckpoint(tx, name, head, signed));
  };

  return async (after: string | undefined): Promise<DutyResult> => {
    const rows = await housekeeping.chainsWithNews(name, after, ROWS_MAX);
    const refused: Refused[] = [];
    for (const { orgId } of rows) {
      try {
        await attest(orgId);
      } catch (err) {
        if (isSignerAway(err)) throw err;
        refused.push({ orgId, err });
      }
    }
    const [first] = refused;
    if (first) {
      const [one, several] = WORDS[name];
      const which = refused.length === 1 ? `${one} of an organisation` : `${several} of ${refused.length} organisations`;
      logger.error({ ...first }, `the signer attests no checkpoint of ${which}: compare ${one} with its last checkpoints`);
    }
    return resultOf(rows, rows.length - refused.length);
  };
}

export const createFeedDuty = (parts: DutyParts & HeadAttestingParts) => headDuty(CHAINS.feed, parts);
export const createAuditLogDuty = (parts: DutyParts & HeadAttestingParts) => headDuty(CHAINS.audit, parts);
