import { createDek, openDek, openKey, rewrapDek, sealKey } from '../keys/envelope';
import type { KekProvider } from '../keys/kek';
import type {
  CreateDekOrder,
  DekRow,
  JournalRewrapped,
  ResealKeyOrder,
  RewrapDekOrder,
  RewrapJournalOrder,
  SealedKeyRow,
} from '../protocol';
import type { KeyLog } from '../record/key-log';
import { schemeOf } from '../schemes/scheme';
import { refuseUnless } from '../wire/refusal';

/** The most data keys that one order rewraps. A cloud service takes some milliseconds for each data key. */
const REWRAPPED_AT_ONCE = 100;

/**
 * Each order is idempotent. The journal contains the result before the reply leaves, so that a restore from the journal does not
 * need a key that the rotation has replaced.
 */
export function createRotations(kek: KekProvider, keyLog: KeyLog) {
  const rewrap = async (row: DekRow): Promise<DekRow> => {
    const rewrapped = await rewrapDek(kek, row);
    await keyLog.recordDek(rewrapped);
    return rewrapped;
  };

  return {
    /** Refused unless the order names the active key-encryption key. */
    async rewrapDek({ orgId, dek, kekId }: RewrapDekOrder): Promise<DekRow> {
      refuseUnless(kek.id === kekId, 'KekNotActive');
      if (dek.kekId === kekId) (await openDek(kek, dek, orgId)).fill(0);
      else {
        refuseUnless(dek.orgId === orgId, 'EnvelopeRejected');
        return rewrap(dek);
      }
      return dek;
    },

    /** Rewraps data keys that a restored database may lack. Returns how many keys still need a rewrap. */
    async rewrapJournal({ kekId }: RewrapJournalOrder): Promise<JournalRewrapped> {
      refuseUnless(kek.id === kekId, 'KekNotActive');
      const old = await keyLog.deksNotUnder(kekId);
      const now = old.slice(0, REWRAPPED_AT_ONCE);
      for (const dek of now) await rewrap(dek);
      return { left: old.length - now.length };
    },

    /** A repeated request gets the same key. */
    async createDek({ requestId, orgId }: CreateDekOrder): Promise<DekRow> {
      const known = keyLog.dekOf({ orgId, requestId });
      if (known) return known;
      const made = await createDek(kek, orgId);
      await keyLog.recordDek(made, requestId);
      return made;
    },

    /** Checks the secret against the public key before the resealing. */
    async resealKey({ orgId, keyId, sealed, dek, target }: ResealKeyOrder): Promise<SealedKeyRow> {
      const known = keyLog.find(keyId)?.sealed;
      if (known?.dekId === target.dekId && known.orgId === orgId && known.publicKeyHex === sealed.publicKeyHex) return known;
      const oldDek = await openDek(kek, dek, orgId);
      let secret: Buffer | undefined;
      let newDek: Buffer | undefined;
      try {
        newDek = await openDek(kek, target, orgId);
        secret = openKey(oldDek, sealed, { orgId, keyId });
        refuseUnless(schemeOf(sealed).publicKeyHexOf(secret) === sealed.publicKeyHex, 'KeyRowMismatch');
        const { ciphertextHex: _, ...place } = sealed;
        const resealed = sealKey(newDek, { ...place, dekId: target.dekId }, secret);
        secret.fill(0); // recording waits for the disk next, and the secret must not stay in memory that long
        await keyLog.recordSealed(resealed);
        return resealed;
      } finally {
        secret?.fill(0);
        oldDek.fill(0);
        newDek?.fill(0);
      }
    },
  };
}
