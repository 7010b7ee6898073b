import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../platform/logger';
import { createSignerClient } from '../../signer/client';
import { createFileKek } from '../../signer/kek';
import { openOperations } from '../../signer/operations';
import type { SignerClient } from '../../signer/protocol';
import { createPortableSigning } from '../../signer/sealed-signing';
import { startServer } from '../../signer/server';

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
  const opened = await openOperations({
    stateDir: folder,
    kek,
    signing: createPortableSigning(kek),
    nowMs: () => Date.now(),
    onBroken: broken,
  });
  const authKey = randomBytes(32);
  const socketPath = join(folder, 's');
  const server = await startServer({ path: socketPath }, authKey, opened.operations, createLogger('signer', 'silent'));
  const client = createSignerClient({ socketPath, authKey, timeoutMs: 10_000 });
  return {
    client,
    keys: () => opened.journal.size,
    close: async () => {
      await client.close();
      await server.stop();
      await opened.close();
      rmSync(folder, { recursive: true });
    },
  };
}
