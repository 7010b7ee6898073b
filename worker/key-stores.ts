import { seeKeyStores } from '../application/key-stores/see-key-stores';
import type { Database } from '../entities/database';
import { keyStoresStore } from '../entities/key-stores/key-stores.store';
import type { Logger } from '../platform/logger';
import { during } from '../platform/points';
import type { SignerClient } from '../signer/protocol';
import { repeat } from './repeat';

const CHECK_MS = 3_000;
/** After this number of checks the rows are compared again, because another worker may have copied an older report meanwhile. */
const CHECKS_UNTIL_COMPARED = 20;

type Options = {
  readonly signer: Pick<SignerClient, 'listKeyStores'>;
  readonly db: Database;
  readonly logger: Logger;
  readonly checkMs?: number;
};

/** Copies the stores of the organisations whose last entry differs from `compared`, which maps an organisation to a digest. */
export async function readKeyStores({ signer, db, logger }: Options, compared: Map<string, string>): Promise<void> {
  for (let after: string | undefined; ; ) {
    const { organizations } = await signer.listKeyStores(after === undefined ? {} : { after });
    for (const { orgId, ...reported } of organizations) {
      if (compared.get(orgId) === reported.digest) continue;
      if (await keyStoresStore.hasOrganization(db.read(orgId), orgId)) {
        const changed = await during('seeKeyStores', { orgId }, () => db.withOrg(orgId, (tx) => seeKeyStores(tx, reported)));
        if (changed > 0) logger.info({ orgId }, 'the signer reports changed key stores');
      }
      compared.set(orgId, reported.digest);
    }
    after = organizations.at(-1)?.orgId;
    if (after === undefined) return;
  }
}

/**
 * Keeps copies of the signer's key stores in rows, so that the API can list them and refuse requests early. The signer itself
 * uses only its own record. Several workers write the same rows. Returns a function that stops the updates.
 */
export async function followKeyStores(options: Options): Promise<() => Promise<void>> {
  let isAway = false;
  let checks = 0;
  const compared = new Map<string, string>();
  const follow = async (): Promise<void> => {
    if (checks % CHECKS_UNTIL_COMPARED === 0) compared.clear();
    checks += 1;
    try {
      await readKeyStores(options, compared);
      isAway = false;
    } catch (error) {
      if (!isAway)
        options.logger.warn({ err: error }, 'the key stores of the signer could not be read: the last known ones stay');
      isAway = true;
    }
  };
  await follow();
  return repeat({ everyMs: options.checkMs ?? CHECK_MS, work: follow });
}
