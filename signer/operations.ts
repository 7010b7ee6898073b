import { join } from 'node:path';
import { createKeyMaker } from './create-key';
import { unlessFrozen } from './freeze';
import { openKeyJournal } from './journal';
import type { KekProvider } from './kek';
import { Refusal } from './refusal';
import { createRotations } from './rotations';
import type { SealedSigning } from './sealed-signing';
import type { Operations } from './server';
import { openShareKeys } from './share-keys';
import { createTransferSigner } from './sign-transfer';
import { openSigningLog } from './signing-log';

type Parts = {
  readonly stateDir: string;
  readonly kek: KekProvider;
  readonly signing: SealedSigning;
  readonly nowMs: () => number;
  /** Hears once that the state folder takes no more writes. */
  readonly onBroken: (cause: Error) => void;
};

/** Everything the signer can be asked for, over the files of its state folder. */
export async function openOperations({ stateDir, kek, signing, nowMs, onBroken }: Parts) {
  const shareKeys = await openShareKeys(join(stateDir, 'share-keys.json'), kek, nowMs());
  const journal = await openKeyJournal(join(stateDir, 'keys.jsonl'), onBroken);
  const log = await openSigningLog(join(stateDir, 'signatures.jsonl'), onBroken);
  const { signerId, encryptionKey } = shareKeys;
  const notYet = () => Promise.reject(new Refusal('PayloadNotSupported'));
  const guarded = <O, R>(carryOut: (order: O) => Promise<R>) => unlessFrozen(stateDir, carryOut);
  const operations: Operations = {
    health: () => ({ kekId: kek.id, journalEntries: journal.size, logEntries: log.size, signerId, encryptionKey }),
    createKey: createKeyMaker(kek, journal),
    importKey: notYet,
    exportKey: guarded(notYet),
    deriveShared: guarded(notYet),
    signTransfer: guarded(createTransferSigner(signing, log, nowMs)),
    signPayload: guarded(notYet),
    ...createRotations(kek, journal),
  };
  return {
    operations,
    journal,
    log,
    tornBytes: journal.tornBytes + log.tornBytes,
    close: async () => {
      await journal.close();
      await log.close();
    },
  };
}
