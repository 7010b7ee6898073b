import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '../../../platform/logger';
import type { FolderLease } from '../../../signer/record/folder-lease';
import type { Entry } from '../../../signer/record/journal/entries';
import type { Fence } from '../../../signer/record/journal/journal';
import { openJournal } from '../../../signer/record/journal/open-journal';
import { judgeReplication } from '../../../signer/record/replication/replication';
import { writeMarker } from '../../../signer/replica/marker';
import { ReplicaFolder } from '../../../signer/replica/replica-folder';
import { createReplicaServer } from '../../../signer/replica/replica-server';
import { openListener } from '../../../signer/wire/listener';
import { kekOf, temporaryFolder } from '../fixtures';

export const REPLICA_KEY = Buffer.alloc(32, 0xef);
const logger = createLogger('replica', 'silent');
const kek = kekOf(7);
export const FREE: Pick<FolderLease, 'mustCopy' | 'assertHeld'> = { mustCopy: false, assertHeld: () => undefined };

export const withdrawn = (requestId: string): Entry => ({ kind: 'Withdrawn', orgId: 'or-a', requestId });

/** A replica and signers in this process, on folders that the test may change between their runs. */
export function createInProcess() {
  const temporary = temporaryFolder();
  const dirOf = (name: string) => join(temporary.path, name);
  const addressOf = (name: string, authKey: Buffer = REPLICA_KEY) => ({ place: { path: dirOf(`${name}.sock`) }, authKey });
  const closing: (() => Promise<void>)[] = [];

  return {
    dirOf,
    addressOf,
    async prepare(name: string, isRejoining = false): Promise<void> {
      mkdirSync(dirOf(name), { recursive: true, mode: 0o700 });
      await writeMarker(dirOf(name), { journalId: null, epoch: 0, run: null, isRejoining });
    },
    async serve(name: string, lease = FREE) {
      const broken: unknown[] = [];
      const folder = await ReplicaFolder.open(dirOf(name), lease);
      const { serve, settled } = createReplicaServer({
        folder,
        authKey: REPLICA_KEY,
        logger,
        onBroken: (cause) => broken.push(cause),
      });
      const { stop } = await openListener(addressOf(name).place, serve, logger, { graceMs: 0 });
      const close = async () => {
        await stop();
        await settled();
        await folder.close();
      };
      closing.push(close);
      return { broken, close, folder };
    },
    /** Resolves when a real signer would be ready. */
    async signer(dir: string, replica: string, { fence, authKey }: { fence?: Fence; authKey?: Buffer } = {}) {
      mkdirSync(dirOf(dir), { recursive: true });
      const lost: Error[] = [];
      const address = addressOf(replica, authKey);
      const parts = { stateDir: dirOf(dir), kek, address, operatorKey: undefined, logger };
      const { link, settle } = await judgeReplication({ ...parts, onLost: (cause) => lost.push(cause), waitMs: 300 });
      const journal = await openJournal({ stateDir: dirOf(dir), kek, onBroken: () => undefined, fence });
      let isClosed = false;
      const close = async () => {
        isClosed = true;
        await journal.close();
        link?.close();
      };
      closing.push(async () => {
        if (!isClosed) await close();
      });
      await settle(journal);
      return { journal, link, lost, close, append: (id: string) => journal.append(withdrawn(id)) };
    },
    async remove() {
      for (const close of closing.reverse()) await close();
      temporary.remove();
    },
  };
}
