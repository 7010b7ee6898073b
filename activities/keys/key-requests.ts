import { freezeInTheWay, reachOfExport } from '../../application/freezes/active-freezes';
import { openQuestion } from '../../application/keys/ask-signer';
import { isPermitted } from '../../application/keys/grants';
import { endWithAnswer, endWithRefusal, markExported, storeImported } from '../../application/keys/request-ends';
import { AppError } from '../../domain/errors';
import { KEY_REQUEST_LIFE_MS } from '../../domain/key-requests';
import { changeRequestStore } from '../../entities/change-requests/change-request.store';
import type { Database, Tx } from '../../entities/database';
import { keyStore } from '../../entities/keys/key.store';
import { keyRecordStore } from '../../entities/keys/key-record.store';
import type { KeyRequestEntity } from '../../entities/keys/key-request.entity';
import { keyRequestStore } from '../../entities/keys/key-request.store';
import type { SecretBox } from '../../platform/secret-box';
import type { SignerClient } from '../../signer/protocol';
import type { Causes } from '../outgoing/causes';
import { evidenceOf } from '../signatures/order-evidence';
import { lifeOfOrder } from '../signatures/order-life';
import { assertIsKey } from './made-keys';

export type KeyServices = {
  readonly db: Database;
  readonly signer: Pick<SignerClient, 'createKey' | 'assignFleetKey' | 'importKey' | 'exportKey' | 'deriveShared' | 'health'>;
  readonly keyRequestSecrets: SecretBox;
  readonly signedBodies: SecretBox;
  readonly causes: Pick<Causes, 'ofKeyRequest'>;
};

const end = (db: Database, row: KeyRequestEntity, work: (tx: Tx) => Promise<void>) =>
  db.withOrg(row.orgId, async (tx) => {
    // A slow attempt may find that the next attempt has already ended the request.
    if ((await keyRequestStore.lock(tx, row.id)).status === 'Asked') await work(tx);
  });

async function importKey({ db, signer, keyRequestSecrets: box }: KeyServices, row: KeyRequestEntity): Promise<void> {
  const { orgId, keyId, id: requestId } = row;
  const question = openQuestion(box, row, 'Import');
  const { signerId } = await signer.health();
  if (signerId !== question.signerId) return end(db, row, (tx) => endWithRefusal(tx, requestId, 'UnknownSigner'));
  const dek = await keyStore.presentDataKey(db.read(orgId));
  const { form, encryptedShare } = question;
  const made = await signer.importKey({ requestId, orgId, keyId, ...form, encryptedShare, ...(dek ? { dek } : {}) });
  assertIsKey(made, { orgId, keyId });
  await end(db, row, async (tx) => {
    const refusal = await storeImported(tx, row, question, made);
    if (refusal === undefined) await endWithAnswer(tx, box, requestId, {});
    else await endWithRefusal(tx, requestId, refusal);
  });
}

/** The content that people signed for the request, and the change request if people approved the request. */
async function groundsOf({ db, signedBodies }: KeyServices, { orgId, id, userActionId }: KeyRequestEntity) {
  const reader = db.read(orgId);
  const grant = await changeRequestStore.grantUsedBy(reader, id);
  const approved = grant === undefined ? {} : { changeRequestId: grant.id };
  // A row from an earlier release does not refer to an action. The signer refuses the order for such a row if the organisation
  // has a charter.
  if (userActionId === null) return { evidence: [], approved };
  return { evidence: await evidenceOf(reader, signedBodies, { userActionId, approvalId: grant?.approvalId ?? null }), approved };
}

async function exportKey(services: KeyServices, row: KeyRequestEntity): Promise<void> {
  const { db, signer, keyRequestSecrets: box } = services;
  const { orgId, keyId, id: requestId } = row;
  const { recipientKey } = openQuestion(box, row, 'Export');
  const { signerId } = await signer.health();
  const material = await keyStore.material(db.read(orgId), keyId);
  const { evidence, approved } = await groundsOf(services, row);
  const asked = { requestId, orgId, keyId, recipientKey, ...approved, evidence };
  const { encryptedShare } = await signer.exportKey({ ...asked, ...material, ...lifeOfOrder() });
  await end(db, row, async (tx) => {
    await markExported(tx, keyId);
    await endWithAnswer(tx, box, requestId, { encryptedShare, signerId });
  });
}

async function derive(services: KeyServices, row: KeyRequestEntity): Promise<void> {
  const { db, signer, keyRequestSecrets: box } = services;
  const { orgId, keyId, id: requestId } = row;
  const { domainHex, seedHex } = openQuestion(box, row, 'Derive');
  const material = await keyStore.forSigning(db.read(orgId), keyId);
  const { evidence } = await groundsOf(services, row);
  const asked = { requestId, orgId, keyId, domainHex, seedHex, evidence };
  const { outputHex } = await signer.deriveShared({ ...asked, ...material, ...lifeOfOrder() });
  await end(db, row, (tx) => endWithAnswer(tx, box, requestId, { outputHex }));
}

const HANDLERS = { Import: importKey, Export: exportKey, Derive: derive } as const;

/**
 * Returns the id of the freeze that stops the request, if any. No freeze stops an import, because its key does not exist yet.
 */
async function freezeOf(tx: Tx, { kind, keyId }: KeyRequestEntity): Promise<string | undefined> {
  const key = kind === 'Import' ? undefined : await keyStore.find(tx, keyId);
  if (!key) return undefined;
  const kin = kind === 'Export' ? await keyRecordStore.lockKin(tx, keyId) : [];
  return (await freezeInTheWay(tx, await reachOfExport(tx, key, kin)))?.id;
}

/**
 * Returns undefined for a request that has ended, or that this function ends. A late request is not sent to the signer, because
 * its result would take effect when the caller no longer waits.
 */
function admit(services: KeyServices, orgId: string, requestId: string): Promise<KeyRequestEntity | undefined> {
  const { db, keyRequestSecrets: box, causes, signedBodies } = services;
  return db.withOrg(orgId, async (tx) => {
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
}

export async function carryOutKeyRequest(services: KeyServices, orgId: string, requestId: string): Promise<void> {
  const row = await admit(services, orgId, requestId);
  if (!row) return;
  try {
    await HANDLERS[row.kind](services, row);
  } catch (error) {
    const reason = error instanceof AppError && error.code === 'SignerRefused' ? error.details['reason'] : undefined;
    if (typeof reason !== 'string') throw error;
    await end(services.db, row, (tx) => endWithRefusal(tx, requestId, reason));
  }
}
