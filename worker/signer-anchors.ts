import { NO_ORGANIZATION } from '../application/wallets/assets';
import type { Database } from '../entities/database';
import { signerAnchorStore } from '../entities/deployment/signer-anchor.store';
import type { Logger } from '../platform/logger';
import type { SignerClient } from '../signer/protocol';
import { repeat } from './repeat';

/** The API uses an anchor for several times this interval, so one failed query does no harm. */
const ASK_EVERY_MS = 5_000;

type Options = {
  readonly signer: Pick<SignerClient, 'anchor'>;
  readonly db: Pick<Database, 'withOrg'>;
  readonly logger: Logger;
  readonly askEveryMs?: number;
};

/**
 * Keeps the signer's newest anchor in the database, because the API cannot query the signer. A signed action contains an anchor,
 * from which the signer learns the maximum age of the action. Each worker stores the anchor. Without the signer the API
 * announces actions without an anchor. Returns a function that stops the updates.
 */
export async function keepAnchors({ signer, db, logger, askEveryMs = ASK_EVERY_MS }: Options): Promise<() => Promise<void>> {
  let isMissing = false;
  const ask = async (): Promise<void> => {
    const asked = performance.now();
    try {
      const { anchor } = await signer.anchor();
      await db.withOrg(NO_ORGANIZATION, (tx) => signerAnchorStore.keep(tx, anchor, performance.now() - asked));
      if (isMissing) logger.info('the signer gives anchors again');
      isMissing = false;
    } catch (error) {
      if (!isMissing)
        logger.warn({ err: error }, 'no anchor of the signer: under a charter, signatures that people make now do not count');
      isMissing = true;
    }
  };
  await ask();
  return repeat({ everyMs: askEveryMs, work: ask });
}
