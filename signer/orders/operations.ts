import type { KeyObject } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthorities } from '../charters/authorities';
import { createCharters } from '../charters/charters';
import { createReportedCharters } from '../charters/reported-charters';
import { createPeople } from '../judging/people/people';
import type { SwitchesOn } from '../judging/switches';
import { createKeyStoreChanges } from '../key-stores/change-key-stores';
import { createReportedKeyStores } from '../key-stores/reported-key-stores';
import type { KekProvider } from '../keys/kek';
import { createKeyMaker } from '../keys/key-maker';
import type { SealedSigning } from '../keys/sealed-signing';
import { openShareKeys } from '../keys/share-keys';
import { openActiveFreezes } from '../record/active-freezes';
import { createAnchors } from '../record/anchors';
import { createAttestor } from '../record/attestor';
import { createFleets } from '../record/fleets/fleets';
import { unlessFrozen } from '../record/frozen-file';
import { createHeldWallets } from '../record/holders/held-wallets';
import { createHolderCredentials } from '../record/holders/holder-credentials';
import type { Fence, Journal } from '../record/journal/journal';
import { openJournal } from '../record/journal/open-journal';
import { createKeyLog } from '../record/key-log';
import { createKeyStores } from '../record/key-stores';
import type { ReplicaLink } from '../record/replication/replica-link';
import { createSigningLog } from '../record/signing-log';
import type { Operations } from '../wire/server';
import { createCharterAmender } from './amend-charter';
import { createAddressAttester } from './attestations/attest-address';
import { createHeadAttester } from './attestations/attest-head';
import { createKeyCreator } from './create-key';
import { createSharedDeriver } from './derive-shared';
import { createKeyExporter } from './export-key';
import { createFleetOperations } from './fleets/fleet-operations';
import { createKeyImporter } from './import-key';
import { createRotations } from './rotations';
import { createEvmSigner } from './sign-evm';
import { createOnceOnly, createOnceSigner } from './sign-once';
import { createPayloadSigner } from './sign-payload';
import { createSolanaSigner } from './sign-solana';
import { createSponsoredSigner } from './sign-sponsored';
import { createUtxoSigner } from './sign-utxo';
import { createSignatureLookup } from './was-signed';

type Parts = {
  readonly stateDir: string;
  readonly kek: KekProvider;
  readonly signing: SealedSigning;
  readonly switches: SwitchesOn;
  readonly nowMs: () => number;
  /** Verifies charters. Without the key no charter is accepted. */
  readonly operatorKey?: KeyObject | undefined;
  /** Called once, when the state folder can no longer be written. */
  readonly onBroken: (cause: Error) => void;
  readonly fence?: Fence;
  /** Bounds how long an order waits for the replica. */
  readonly replica?: Pick<ReplicaLink, 'whileHere' | 'isHere'> | undefined;
};

/** Only bytes that an unprivileged process may fill are treated as free. */
function roomOf(folder: string) {
  const { bsize, bavail, blocks } = statfsSync(folder);
  return { stateFreeBytes: bavail * bsize, stateBytes: blocks * bsize };
}

const stateOf = (replica: Parts['replica']) => {
  if (!replica) return 'None';
  return replica.isHere ? 'Here' : 'Away';
};

/** Every reply and every refusal waits until everything on which it may be based is durable. */
function durably(journal: Journal, replica: Parts['replica']) {
  const settling = async <R>(carryOut: () => Promise<R>): Promise<R> => {
    try {
      return await carryOut();
    } finally {
      await journal.settled();
    }
  };
  return <O, R>(carryOut: (order: O) => Promise<R>) =>
    async (order: O): Promise<R> => {
      const settled = () => settling(() => carryOut(order));
      return replica ? replica.whileHere(settled) : settled();
    };
}

export async function openOperations(parts: Parts) {
  const { stateDir, kek, signing, switches, nowMs, operatorKey, onBroken, fence, replica } = parts;
  const shareKeys = await openShareKeys(join(stateDir, 'share-keys.json'), kek, nowMs());
  const journal = await openJournal({ stateDir, kek, onBroken, fence });
  const keyLog = createKeyLog(journal);
  const log = createSigningLog(journal);
  const freezes = await openActiveFreezes(journal, nowMs);
  const { signerId, encryptionKey } = shareKeys;
  const { arithmetic } = signing;
  const stores = createKeyStores(journal);
  const fleets = createFleets(journal);
  const make = createKeyMaker({ kek, keyLog, stores });
  const holders = createHolderCredentials(journal);
  const charters = createCharters({ journal, holders, signerId, operatorKey, nowMs });
  const keyStores = createKeyStoreChanges({ journal, stores, signerId, operatorKey, nowMs });
  const reported = createReportedCharters(journal);
  const anchors = createAnchors({ signerId, key: journal.anchorKey });
  const attestor = createAttestor(journal.attestationSeed);
  const heldWallets = createHeldWallets(journal);
  const authorities = createAuthorities(charters, keyLog, heldWallets);
  const people = createPeople(authorities, keyLog, log, anchors, arithmetic, nowMs);
  const onceOnly = createOnceOnly(keyLog, log, freezes, switches, people);
  const signOnce = createOnceSigner(onceOnly, signing);
  const keysKnown = { ...keyLog, offlineKey: fleets.key, primaryStoreId: (orgId: string) => stores.primaryOf(orgId).storeId };
  const durable = durably(journal, replica);
  const guarded = <O, R>(carryOut: (order: O) => Promise<R>) => durable(unlessFrozen(stateDir, carryOut));
  const { rewrapDek, rewrapJournal, createDek, resealKey } = createRotations(kek, keyLog);
  const operations: Operations = {
    health: () => ({ kekId: kek.id, journalEntries: keyLog.size, logEntries: log.size, signerId, encryptionKey, arithmetic }),
    room: () => roomOf(stateDir),
    switches: () => ({ on: [...switches] }),
    replica: () => ({ replica: stateOf(replica) }),
    anchor: () => ({ anchor: anchors.make(nowMs()) }),
    listCharters: reported.list,
    listKeyStores: createReportedKeyStores(journal).list,
    createKey: durable(createKeyCreator({ kek, keyLog, make, people, holders })),
    attestAddress: durable(createAddressAttester({ keys: keyLog, fleets, attestor, signerId, nowMs })),
    attestFeed: durable(createHeadAttester('feed', { attestor, signerId, nowMs })),
    attestAuditLog: durable(createHeadAttester('audit', { attestor, signerId, nowMs })),
    importKey: durable(createKeyImporter(shareKeys, make)),
    exportKey: guarded(createKeyExporter({ kek, keyLog, freezes, switches, people, nowMs })),
    deriveShared: guarded(createSharedDeriver({ kek, keyLog, freezes, people, nowMs })),
    signTransfer: guarded(createEvmSigner(signOnce, nowMs)),
    signSponsored: guarded(createSponsoredSigner(signOnce, nowMs)),
    signUtxo: guarded(createUtxoSigner(signOnce, nowMs)),
    signSolana: guarded(createSolanaSigner(signOnce, nowMs)),
    ...createFleetOperations({ signerId, attestor, stores, fleets, keyLog, log, freezes, people, onceOnly, nowMs }, guarded),
    // Refused while the folder is frozen: the log may lack signatures, so a promise never to sign would be worthless.
    withdraw: guarded(async (order) => ({ withdrawn: await log.withdraw(order) })),
    wasSigned: durable(
      createSignatureLookup(
        log,
        unlessFrozen(stateDir, async (answer) => answer),
      ),
    ),
    signPayload: guarded(createPayloadSigner(signOnce, nowMs)),
    setFreeze: durable(freezes.set),
    releaseFreeze: durable(people.releasing(freezes.release)),
    amendCharter: guarded(createCharterAmender({ charters, keys: keysKnown, heldWallets, holders, anchors, nowMs })),
    readCharter: durable(async (order) => reported.part(order)),
    rewrapDek: durable(rewrapDek),
    rewrapJournal: durable(rewrapJournal),
    createDek: durable(createDek),
    resealKey: durable(resealKey),
  };
  return { operations, journal, keyLog, log, freezes, charters, keyStores, stores, attestor, close: () => journal.close() };
}
