import type { KeyObject } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../../platform/logger';
import type { KekProvider } from '../../keys/kek';
import { readMarker, removeMarker } from '../../replica/marker';
import { StartError } from '../../start-error';
import type { Journal } from '../journal/journal';
import { journalIdIn } from '../journal/journal-keys';
import { ALONE_FILE, readStatement } from './alone';
import { judgeReplica } from './judge-replica';
import { ReplicaLink } from './replica-link';
import type { ReplicaAddress } from './replica-session';
import { replicationIn, type SignedStatement } from './replication-entries';

type Wanted = {
  readonly stateDir: string;
  readonly kek: KekProvider;
  readonly address: ReplicaAddress | undefined;
  readonly operatorKey: KeyObject | undefined;
  readonly logger: Logger;
  readonly onLost: (cause: Error) => void;
  readonly waitMs?: number;
};

/** The services on one machine may start in any order. */
const WAIT_MS = 30_000;
const NOT_ALONE =
  'the journal has a replica: set SIGNER_REPLICA, or let the operator sign that this signer may run alone (npm run authority:alone)';

/**
 * Judges, before anything is written, whether the signer of this folder may start with the replica that is configured, or
 * without one. Throws a `StartError`.
 */
export async function judgeReplication(wanted: Wanted) {
  const { stateDir, kek, address, operatorKey, logger, onLost, waitMs = WAIT_MS } = wanted;
  const marker = readMarker(stateDir);
  const statement = address === undefined ? await readStatement(stateDir, operatorKey) : undefined;
  if (marker && !address && !statement) throw new StartError(NOT_ALONE);
  if (address) await judgeReplica({ stateDir, kek, address, waitMs });
  const link = address && new ReplicaLink({ stateDir, address, logger, onLost });
  return {
    link,
    /**
     * Records whether the signer runs with a replica. If the folder belonged to a replica, it becomes the folder of a signer. No
     * order may run before this call.
     */
    async settle(journal: Pick<Journal, 'index' | 'append' | 'sealKey' | 'replicateTo'>): Promise<void> {
      const before = replicationIn(journal.index);
      // The epoch that the replica names is not used: a signer that does not know the latest epoch is outdated and must not begin
      // a later epoch.
      const epoch = Math.max(before?.epoch ?? 0, marker?.epoch ?? 0) + 1;
      if (link) {
        // Written to this disk first: an entry that only the replica has must come from another process.
        await journal.append({ kind: 'ReplicationSet', mode: 'Replicated', epoch });
        await link.start({ journalId: journalIdIn(stateDir) ?? '', sealKey: journal.sealKey, epoch });
        journal.replicateTo(link);
        logger.info({ epoch }, 'the replica has the whole journal');
      } else if (before?.mode === 'Replicated') await goAlone(journal, epoch, statement);
      if (marker) await removeMarker(stateDir);
      await rm(join(stateDir, ALONE_FILE), { force: true });
    },
  };
}

async function goAlone({ append }: Pick<Journal, 'append'>, epoch: number, signed: SignedStatement | undefined): Promise<void> {
  if (!signed) throw new StartError(NOT_ALONE);
  await append({ kind: 'ReplicationSet', mode: 'Alone', epoch, signed });
}
