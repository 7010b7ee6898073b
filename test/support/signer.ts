import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../platform/logger';
import { createSignerClient } from '../../signer/client';
import { createKeyMaker } from '../../signer/create-key';
import { openKeyJournal } from '../../signer/journal';
import { createFileKek } from '../../signer/kek';
import type { SignerClient } from '../../signer/protocol';
import { createRotations } from '../../signer/rotations';
import { createPortableSigning } from '../../signer/sealed-signing';
import { startServer } from '../../signer/server';
import { createTransferSigner } from '../../signer/sign-transfer';
import { openSigningLog } from '../../signer/signing-log';

export type TestSigner = {
  readonly client: SignerClient;
  /** Keys in the signer's journal. */
  readonly keys: () => number;
  readonly close: () => Promise<void>;
};

const broken = (cause: Error) => {
  throw cause;
};

/** The signer's own code behind its real socket, in this process and with a state folder of its own. */
export async function startTestSigner(): Promise<TestSigner> {
  const folder = mkdtempSync(join(tmpdir(), 'signer-'));
  const kek = createFileKek(randomBytes(32));
  const journal = await openKeyJournal(join(folder, 'keys.jsonl'), broken);
  const log = await openSigningLog(join(folder, 'signatures.jsonl'), broken);
  const authKey = randomBytes(32);
  const operations = {
    health: () => ({ kekId: kek.id, journalEntries: journal.size, logEntries: log.size }),
    createKey: createKeyMaker(kek, journal),
    ...createRotations(kek, journal),
    signTransfer: createTransferSigner(createPortableSigning(kek), log, () => Date.now()),
  };
  const socketPath = join(folder, 's');
  const server = await startServer({ path: socketPath }, authKey, operations, createLogger('signer', 'silent'));
  const client = createSignerClient({ socketPath, authKey, timeoutMs: 10_000 });
  return {
    client,
    keys: () => journal.size,
    close: async () => {
      await client.close();
      await server.stop();
      await journal.close();
      await log.close();
      rmSync(folder, { recursive: true });
    },
  };
}
