import { invariant } from '../domain/errors';
import { charterStore } from '../entities/charters/charter.store';
import type { Database } from '../entities/database';
import { sha256Hex } from '../platform/digests';
import type { Logger } from '../platform/logger';
import { during } from '../platform/points';
import type { SignerClient } from '../signer/protocol';
import { repeat } from './repeat';

const CHECK_MS = 3_000;
/**
 * After this number of checks the rows are compared again, because another worker may have written an older charter in the
 * meantime.
 */
const CHECKS_UNTIL_COMPARED = 20;

type Charters = Pick<SignerClient, 'listCharters' | 'readCharter'>;
type Head = Awaited<ReturnType<Charters['listCharters']>>['charters'][number];
type Options = {
  readonly signer: Charters;
  readonly db: Database;
  readonly logger: Logger;
  readonly checkMs?: number;
};

/** Throws if another charter came into force meanwhile; the next check reads that charter. */
async function textOf(signer: Charters, { orgId, digest }: Head): Promise<string> {
  let text = '';
  for (;;) {
    const { charter } = await signer.readCharter({ orgId, offset: text.length });
    invariant(charter && charter.digest === digest && charter.part !== '', 'the charter is the one that was listed');
    text += charter.part;
    if (text.length >= charter.chars) break;
  }
  invariant(sha256Hex(text) === digest, 'the text of the charter has its digest');
  return text;
}

/**
 * Reads the charters that differ from the rows. `compared` maps an organisation to the digest that its row is known to have. As
 * long as the signer reports the same digest, the row is not read again.
 */
export async function readCharters({ signer, db, logger }: Options, compared: Map<string, string>): Promise<void> {
  const see = async (head: Head): Promise<void> => {
    const { orgId, sequence, digest } = head;
    if (compared.get(orgId) === digest) return;
    const known = await charterStore.standing(db.read(orgId), orgId);
    if (known && known.digest !== digest) {
      const text = await textOf(signer, head);
      await during('seeCharter', { orgId }, () => db.withOrg(orgId, (tx) => charterStore.see(tx, { sequence, digest, text })));
      logger.info({ orgId }, 'a charter came into force at the signer');
    }
    compared.set(orgId, digest);
  };
  for (let after: string | undefined; ; ) {
    const { charters } = await signer.listCharters(after === undefined ? {} : { after });
    for (const head of charters)
      await see(head).catch((error: unknown) =>
        logger.warn({ err: error, orgId: head.orgId }, 'a charter could not be read: the next check reads it again'),
      );
    after = charters.at(-1)?.orgId;
    if (after === undefined) return;
  }
}

/**
 * Keeps copies of the signer's charters in rows, from which the API also learns which changes amend a charter. The signer itself
 * uses only its own charters. Several workers write the same rows. Returns a function that stops the updates.
 */
export async function followCharters(options: Options): Promise<() => Promise<void>> {
  let isAway = false;
  let checks = 0;
  const compared = new Map<string, string>();
  const follow = async (): Promise<void> => {
    if (checks % CHECKS_UNTIL_COMPARED === 0) compared.clear();
    checks += 1;
    try {
      await readCharters(options, compared);
      isAway = false;
    } catch (error) {
      if (!isAway) options.logger.warn({ err: error }, 'the charters of the signer could not be read: the last known ones stay');
      isAway = true;
    }
  };
  await follow();
  return repeat({ everyMs: options.checkMs ?? CHECK_MS, work: follow });
}
