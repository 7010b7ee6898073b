import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { SwitchesOn } from '../judging/switches';
import type { KekProvider } from '../keys/kek';
import { createKeyMaker } from '../keys/key-maker';
import type { SealedSigning } from '../keys/sealed-signing';
import { openShareKeys } from '../keys/share-keys';
import { openActiveFreezes } from '../record/active-freezes';
import type { Fence } from '../record/durable-file';
import { unlessFrozen } from '../record/frozen-file';
import { openKeyLog } from '../record/key-log';
import { openSigningLog } from '../record/signing-log';
import type { Operations } from '../wire/server';
import { createKeyCreator } from './create-key';
import { createSharedDeriver } from './derive-shared';
import { createKeyExporter } from './export-key';
import { createKeyImporter } from './import-key';
import { createRotations } from './rotations';
import { createEvmSigner } from './sign-evm';
import { createOnceSigner } from './sign-once';
import { createPayloadSigner } from './sign-payload';
import { createSolanaSigner } from './sign-solana';
import { createSponsoredSigner } from './sign-sponsored';
import { createUtxoSigner } from './sign-utxo';

type Parts = {
  readonly stateDir: string;
  readonly kek: KekProvider;
  readonly signing: SealedSigning;
  readonly switches: SwitchesOn;
  readonly nowMs: () => number;
  /** Called once, when the state folder can no longer be written. */
  readonly onBroken: (cause: Error) => void;
  readonly fence?: Fence;
};

/** Only bytes that an unprivileged process may fill count as free. */
function roomOf(folder: string) {
  const { bsize, bavail, blocks } = statfsSync(folder);
  return { stateFreeBytes: bavail * bsize, stateBytes: blocks * bsize };
}

export async function openOperations({ stateDir, kek, signing, switches, nowMs, onBroken, fence }: Parts) {
  const shareKeys = await openShareKeys(join(stateDir, 'share-keys.json'), kek, nowMs());
  const keyLog = await openKeyLog(join(stateDir, 'keys.jsonl'), onBroken, { fence });
  const log = await openSigningLog(join(stateDir, 'signatures.jsonl'), onBroken, { fence });
  const freezes = await openActiveFreezes(join(stateDir, 'freezes.jsonl'), onBroken, nowMs, { fence });
  const { signerId, encryptionKey } = shareKeys;
  const { arithmetic } = signing;
  const make = createKeyMaker(kek, keyLog);
  const signOnce = createOnceSigner(signing, keyLog, log, freezes, switches);
  const guarded = <O, R>(carryOut: (order: O) => Promise<R>) => unlessFrozen(stateDir, carryOut);
  const operations: Operations = {
    health: () => ({ kekId: kek.id, journalEntries: keyLog.size, logEntries: log.size, signerId, encryptionKey, arithmetic }),
    room: () => roomOf(stateDir),
    switches: () => ({ on: [...switches] }),
    createKey: createKeyCreator(kek, keyLog, make),
    importKey: createKeyImporter(shareKeys, make),
    exportKey: guarded(createKeyExporter(kek, keyLog, freezes, switches, nowMs)),
    deriveShared: guarded(createSharedDeriver(kek, keyLog, freezes, nowMs)),
    signTransfer: guarded(createEvmSigner(signOnce, nowMs)),
    signSponsored: guarded(createSponsoredSigner(signOnce, nowMs)),
    signUtxo: guarded(createUtxoSigner(signOnce, nowMs)),
    signSolana: guarded(createSolanaSigner(signOnce, nowMs)),
    // Refused while the folder is frozen: the log may lack signatures, so a promise never to sign would be worthless.
    withdraw: guarded(async (order) => ({ withdrawn: await log.withdraw(order) })),
    signPayload: guarded(createPayloadSigner(signOnce, nowMs)),
    setFreeze: (order) => freezes.set(order),
    releaseFreeze: (order) => freezes.release(order),
    ...createRotations(kek, keyLog),
  };
  return {
    operations,
    keyLog,
    log,
    freezes,
    tornBytes: keyLog.tornBytes + log.tornBytes + freezes.tornBytes,
    close: async () => {
      await keyLog.close();
      await log.close();
      await freezes.close();
    },
  };
}
