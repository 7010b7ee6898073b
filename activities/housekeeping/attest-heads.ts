import { keepCheckpoint } from '../../application/feed/checkpoints';
import { createSequencer } from '../../application/feed/sequencer';
import type { DutyResult } from '../../domain/housekeeping';
import { feedStore } from '../../entities/feed/feed.store';
import type { SignerClient } from '../../signer/protocol';
import { type DutyParts, isSignerAway, ROWS_MAX, resultOf } from './duty';

export type FeedAttestingParts = { readonly signer: Pick<SignerClient, 'attestFeed'> };
type Refused = { readonly orgId: string; readonly err: unknown };

/** Also gives places to events that a relay of the previous release delivered without a place. */
export function createFeedDuty({ db, housekeeping, signer, logger }: DutyParts & FeedAttestingParts) {
  const sequencer = createSequencer(db);
  const attest = async (orgId: string): Promise<void> => {
    await sequencer.numberAll(orgId);
    const head = await feedStore.head(db.read(orgId));
    if (!head || head.sequence === 0) return;
    const signed = await signer.attestFeed({ orgId, sequence: head.sequence, hash: head.hash });
    await db.withOrg(orgId, (tx) => keepCheckpoint(tx, head, signed));
  };

  return async (after: string | undefined): Promise<DutyResult> => {
    const rows = await housekeeping.feedsWithNews(after, ROWS_MAX);
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
      const which = refused.length === 1 ? 'the feed of an organisation' : `the feeds of ${refused.length} organisations`;
      logger.error({ ...first }, `the signer attests no checkpoint of ${which}: compare the feed with its last checkpoints`);
    }
    return resultOf(rows, rows.length - refused.length);
  };
}
