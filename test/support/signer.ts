import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SIGNER_SWITCH_NAMES, type SignerSwitch } from '../../domain/signer-switches';
import { signEntry } from '../../operator/key-stores/entry-file';
import { createLogger } from '../../platform/logger';
import { createSignerClient } from '../../signer/client';
import type { KeyStoreChange } from '../../signer/key-stores/key-store-change';
import { createFileKek } from '../../signer/keys/kek';
import { createPortableSigning } from '../../signer/keys/sealed-signing';
import { openOperations } from '../../signer/orders/operations';
import type { SignerClient } from '../../signer/protocol';
import { startServer } from '../../signer/wire/server';

export type TestSigner = {
  readonly client: SignerClient;
  /** The public key for attestations in hex. */
  readonly attestationKey: string;
  /** The number of keys in the signer's journal. */
  readonly keys: () => number;
  /** Sets the switches, as a restart with these switches would. At first all switches are on. */
  readonly setSwitches: (on: readonly SignerSwitch[]) => void;
  /** Records an entry that the operator of this signer signed. */
  readonly changeKeyStores: (orgId: string, change: KeyStoreChange) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

const broken = (cause: Error) => {
  throw cause;
};

/** Runs the signer's own code in this process, with its real socket and a state folder of its own. */
export async function startTestSigner(): Promise<TestSigner> {
  const switches = new Set<SignerSwitch>(SIGNER_SWITCH_NAMES);
  const folder = mkdtempSync(join(tmpdir(), 'signer-'));
  const kek = createFileKek(randomBytes(32));
  const operator = generateKeyPairSync('ed25519');
  const opened = await openOperations({
    stateDir: folder,
    kek,
    signing: createPortableSigning(kek),
    switches,
    nowMs: () => Date.now(),
    operatorKey: operator.publicKey,
    onBroken: broken,
  });
  const authKey = randomBytes(32);
  const socketPath = join(folder, 's');
  const server = await startServer({ path: socketPath }, authKey, opened.operations, createLogger('signer', 'silent'));
  const client = createSignerClient({ socketPath, authKey, timeoutMs: 10_000 });
  return {
    client,
    attestationKey: opened.attestor.publicKeyHex,
    keys: () => opened.keyLog.size,
    setSwitches: (on) => {
      switches.clear();
      for (const name of on) switches.add(name);
    },
    changeKeyStores: (orgId, change) => {
      const head = opened.stores.headOf(orgId);
      const place = { v: 1, signerId: opened.operations.health().signerId, organizationId: orgId, n: (head?.n ?? 0) + 1 };
      const entry = { ...place, previous: head?.digest ?? null, dateIssued: new Date().toISOString(), change };
      return opened.keyStores.changeKeyStores(signEntry(JSON.stringify(entry), operator.privateKey));
    },
    close: async () => {
      await client.close();
      await server.stop();
      await opened.close();
      rmSync(folder, { recursive: true });
    },
  };
}
