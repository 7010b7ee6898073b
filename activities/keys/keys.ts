import { freezeInTheWay, reachOfExport } from '../../application/freezes/active-freezes';
import { openQuestion } from '../../application/keys/ask-signer';
import { activateKey } from '../../application/keys/create-key';
import { isPermitted } from '../../application/keys/grants';
import { endWithAnswer, endWithRefusal, markExported, storeImported } from '../../application/keys/request-ends';
import { AppError, invariant } from '../../domain/errors';
import { KEY_REQUEST_LIFE_MS } from '../../domain/key-requests';
import type { SignerFacts } from '../../domain/key-stores';
import type { Database, Reader, Tx } from '../../entities/database';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { keyStore } from '../../entities/keys/key.store';
import { keyRecordStore } from '../../entities/keys/key-record.store';
import type { KeyRequestEntity } from '../../entities/keys/key-request.entity';
import { keyRequestStore } from '../../entities/keys/key-request.store';
import type { SecretBox } from '../../platform/secret-box';
import type { CreatedKey, SignerClient } from '../../signer/protocol';
import type { Causes } from '../outgoing/causes';

type Signer = Pick<SignerClient, 'createKey' | 'importKey' | 'exportKey' | 'deriveShared' | 'health'>;
type Dependencies = {
  readonly db: Database;
  readonly signer: Signer;
  readonly keyRequestSecrets: SecretBox;
  readonly signedBodies: SecretBox;
  readonly causes: Pick<Causes, 'ofKeyRequest'>;
};
type KeyRef = { readonly orgId: string; readonly keyId: string };

/** An order that the signer gets later than this is stale; another attempt makes a fresh one. */
const ORDER_LIFE_MS = 60_000;

/** Has the signer make the key, derived from its master where it has one. The same key id gets the same key again. */
export async function keyMadeBySigner(reader: Reader, signer: Pick<Signer, 'createKey'>, key: KeyEntity): Promise<CreatedKey> {
  const { orgId, id: keyId, scheme, curve, derivedFrom, derivationPath } = key;
  const dek = await keyStore.presentDataKey(reader);
  const master =
    derivedFrom === null || derivationPath === null
      ? undefined
      : { keyId: derivedFrom, path: derivationPath, ...(await keyStore.material(reader, derivedFrom)) };
  const order = { orgId, keyId, scheme, curve, ...(dek ? { dek } : {}), ...(master ? { parent: master } : {}) };
  const created = await signer.createKey(order);
  assertIsKey(created, { orgId, keyId });
  return created;
}

function assertIsKey({ sealed, dek, publicKeyHex }: CreatedKey, { orgId, keyId }: KeyRef): void {
  invariant(sealed.orgId === orgId && sealed.keyId === keyId && sealed.dekId === dek.dekId, 'the key is the one asked for');
  invariant(sealed.publicKeyHex === publicKeyHex, 'the sealed key is the one answered');
}

/** Activities of the `signer` queue that make keys, take them in, give them away and derive from them. */
export function createKeyActivities({ db, signer, keyRequestSecrets: box, causes, signedBodies }: Dependencies) {
  const end = (row: KeyRequestEntity, work: (tx: Tx) => Promise<void>) =>
    db.withOrg(row.orgId, async (tx) => {
      // An attempt that was slower than the next one finds it ended.
      if ((await keyRequestStore.lock(tx, row.id)).status === 'Asked') await work(tx);
    });

  const importKey = async (row: KeyRequestEntity): Promise<void> => {
    const { orgId, keyId, id: requestId } = row;
    const question = openQuestion(box, row, 'Import');
    const { signerId } = await signer.health();
    if (signerId !== question.signerId) return end(row, (tx) => endWithRefusal(tx, requestId, 'UnknownSigner'));
    const dek = await keyStore.presentDataKey(db.read(orgId));
    const { form, encryptedShare } = question;
    const made = await signer.importKey({ requestId, orgId, keyId, ...form, encryptedShare, ...(dek ? { dek } : {}) });
    assertIsKey(made, { orgId, keyId });
    await end(row, async (tx) => {
      const refusal = await storeImported(tx, row, question, made);
      if (refusal === undefined) await endWithAnswer(tx, box, requestId, {});
      else await endWithRefusal(tx, requestId, refusal);
    });
  };

  const exportKey = async (row: KeyRequestEntity): Promise<void> => {
    const { orgId, keyId, id: requestId } = row;
    const { recipientKey } = openQuestion(box, row, 'Export');
    const { signerId } = await signer.health();
    const material = await keyStore.material(db.read(orgId), keyId);
    const { encryptedShare } = await signer.exportKey({ requestId, orgId, keyId, recipientKey, ...material, ...lifeOfOrder() });
    await end(row, async (tx) => {
      await markExported(tx, keyId);
      await endWithAnswer(tx, box, requestId, { encryptedShare, signerId });
    });
  };

  const derive = async (row: KeyRequestEntity): Promise<void> => {
    const { orgId, keyId, id: requestId } = row;
    const { domainHex, seedHex } = openQuestion(box, row, 'Derive');
    const material = await keyStore.forSigning(db.read(orgId), keyId);
    const { outputHex } = await signer.deriveShared({
      requestId,
      orgId,
      keyId,
      domainHex,
      seedHex,
      ...material,
      ...lifeOfOrder(),
    });
    await end(row, (tx) => endWithAnswer(tx, box, requestId, { outputHex }));
  };

  const HANDLERS = { Import: importKey, Export: exportKey, Derive: derive } as const;

  /** The freeze that came between the request and its asking; an import is of a key that nobody could freeze yet. */
  const freezeOf = async (tx: Tx, { kind, keyId }: KeyRequestEntity): Promise<string | undefined> => {
    const key = kind === 'Import' ? undefined : await keyStore.find(tx, keyId);
    if (!key) return undefined;
    const kin = kind === 'Export' ? await keyRecordStore.lockKin(tx, keyId) : [];
    return (await freezeInTheWay(tx, await reachOfExport(tx, key, kin)))?.id;
  };

  /** From the commit on the answer counts, so a request whose caller has gone away is refused before it. */
  const admit = (orgId: string, requestId: string): Promise<KeyRequestEntity | undefined> =>
    db.withOrg(orgId, async (tx) => {
      const row = await keyRequestStore.lock(tx, requestId);
      if (row.status !== 'Asked' && row.status !== 'Pending') return undefined;
      const question = openQuestion(box, row, row.kind);
      const unproven = await causes.ofKeyRequest(db.read(orgId), row, question);
      if (unproven !== undefined) {
        await endWithRefusal(tx, requestId, `Unproven ${unproven}`);
        return undefined;
      }
      if (!(await isPermitted(tx, row, question, { signedBodies }))) {
        await endWithRefusal(tx, requestId, 'NotPermitted');
        return undefined;
      }
      if (row.status === 'Asked') return row;
      const frozenBy = await freezeOf(tx, row);
      if (frozenBy !== undefined) {
        await endWithRefusal(tx, requestId, `TargetFrozen ${frozenBy}`);
        return undefined;
      }
      await keyRequestStore.asked(tx, requestId);
      if ((await tx.clock()).getTime() - row.dateCreated.getTime() <= KEY_REQUEST_LIFE_MS) return row;
      await endWithRefusal(tx, requestId, 'TooLate');
      return undefined;
    });

  return {
    /**
     * Makes a key in the signer and the row active. A crash between the signer's answer and our commit makes no second key. Throws
     * what the signer throws.
     */
    async makeKey({ orgId, keyId }: KeyRef): Promise<void> {
      const reader = db.read(orgId);
      const key = await keyStore.find(reader, keyId);
      invariant(key, `the key ${keyId} is there before its workflow`);
      if (key.status !== 'Creating') return;
      const created = await keyMadeBySigner(reader, signer, key);
      await db.withOrg(orgId, (tx) => activateKey(tx, created));
    },

    /** Asks the signer for what the row says and stores its answer there. Run again it gets the same answer (S5). */
    async carryOutKeyRequest({ orgId, requestId }: { readonly orgId: string; readonly requestId: string }): Promise<void> {
      const row = await admit(orgId, requestId);
      if (!row) return;
      try {
        await HANDLERS[row.kind](row);
      } catch (error) {
        const reason = error instanceof AppError && error.code === 'SignerRefused' ? error.details['reason'] : undefined;
        if (typeof reason !== 'string') throw error;
        await end(row, (tx) => endWithRefusal(tx, requestId, reason));
      }
    },

    /** Whom a share is encrypted to: an id and a public key, both known to every caller. */
    async readSigner(): Promise<SignerFacts> {
      const { signerId, encryptionKey } = await signer.health();
      return { signerId, encryptionKey };
    },
  };
}

const lifeOfOrder = () => {
  const now = Date.now();
  return { issuedAt: new Date(now).toISOString(), notAfter: new Date(now + ORDER_LIFE_MS).toISOString() };
};

export type KeyActivities = ReturnType<typeof createKeyActivities>;
