import { networkOf } from '../chains/networks';
import { AppError } from '../domain/errors';
import type { NetworkName } from '../domain/networks';
import { charterStore } from '../entities/charters/charter.store';
import type { Database } from '../entities/database';
import { ConfigError } from '../platform/config';
import type { Logger } from '../platform/logger';
import type { SignerClient } from '../signer/protocol';
import { readCharters } from './charters';

type Parts = {
  readonly signer: Pick<SignerClient, 'health' | 'listCharters' | 'readCharter'>;
  readonly db: Database;
  readonly networks: readonly NetworkName[];
  readonly logger: Logger;
};

/**
 * Throws a `ConfigError` if the configuration contains mainnets for which the signer would not sign. The error lists everything
 * that is missing. Does not throw if the signer does not respond: the signer itself later refuses such orders.
 */
export async function assertMainnets({ signer, db, networks, logger }: Parts): Promise<void> {
  const mainnets = networks.filter((name) => networkOf(name).isMainnet);
  if (mainnets.length === 0) return;
  try {
    await readCharters({ signer, db, logger }, new Map());
    const faults = await missingFor(mainnets, signer, db);
    if (faults.length > 0) throw new ConfigError(`NETWORK_RPC_URLS: ${faults.join('; ')}`);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'SignerUnavailable') throw error;
    logger.warn({ err: error, networks: mainnets }, 'the signer did not say whether it signs for these mainnets');
  }
}

async function missingFor(
  mainnets: readonly NetworkName[],
  signer: Parts['signer'],
  db: Parts['db'],
): Promise<readonly string[]> {
  const [{ arithmetic }, named] = await Promise.all([signer.health(), namedIn(signer, db)]);
  return [
    ...(arithmetic === 'native' ? [] : ['a mainnet needs a signer with SIGNER_ARITHMETIC=native']),
    ...mainnets.filter((name) => !named.has(name)).map((name) => `no organization has a charter that names the mainnet ${name}`),
  ];
}

async function namedIn(signer: Parts['signer'], db: Parts['db']): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (let after: string | undefined; ; ) {
    const { charters } = await signer.listCharters(after === undefined ? {} : { after });
    for (const { orgId } of charters) for (const name of await charterStore.mainnets(db.read(orgId))) named.add(name);
    after = charters.at(-1)?.orgId;
    if (after === undefined) return named;
  }
}
