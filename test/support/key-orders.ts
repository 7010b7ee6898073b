import { randomBytes } from 'node:crypto';
import { createKeyActivities } from '../../activities/keys/keys';
import { sealQuestion } from '../../application/keys/ask-signer';
import type { ImportQuestion, KeyRequestQuestion } from '../../domain/key-requests';
import type { Tx } from '../../entities/database';
import { KeyRequestEntity } from '../../entities/keys/key-request.entity';
import { keyRequestStore } from '../../entities/keys/key-request.store';
import { newId } from '../../platform/ids';
import { createSecretBox } from '../../platform/secret-box';
import { APPROVING } from './approving';
import type { WalletApi } from './wallet-api';

/** In these tests the attacker also has the data key, so the worker can open the question that the attacker wrote. */
const box = createSecretBox(randomBytes(32), 'key-requests');

export type WrittenRequest = {
  readonly userActionId: string | null;
  readonly question: KeyRequestQuestion;
  readonly keyId: string;
  /** Further rows that the attacker writes for the request. */
  readonly more?: (tx: Tx, requestId: string) => Promise<unknown>;
};

/** Writes the request without the API, and lets the worker process it. Returns the outcome, and whether the signer was asked. */
export async function carriedOut(on: WalletApi, { userActionId, question, keyId, more }: WrittenRequest) {
  const { api, orgId, admin, signer, causes } = on;
  const { db } = api.database;
  const id = newId('keyRequest');
  const { kind } = question;
  await db.withOrg(orgId, async (tx) => {
    await keyRequestStore.add(tx, {
      ...{ id, kind, keyId, userId: admin.userId, tokenId: admin.tokenId, userActionId },
      sealedQuestion: sealQuestion(box, id, question),
    });
    await more?.(tx, id);
  });
  const exportKey = jest.fn(signer.client.exportKey);
  const deriveShared = jest.fn(signer.client.deriveShared);
  const importKey = jest.fn(signer.client.importKey);
  const activities = createKeyActivities({
    ...APPROVING,
    ...{ db, causes, keyRequestSecrets: box, signer: { ...signer.client, exportKey, deriveShared, importKey } },
  });
  await activities.carryOutKeyRequest({ orgId, requestId: id });
  const row = await db.read(orgId).row(KeyRequestEntity, 'WHERE t.id = $1', [id]);
  const asked = [exportKey, deriveShared, importKey].some((order) => order.mock.calls.length > 0);
  return { status: row?.status, refusal: row?.refusal, asked };
}

type Import = {
  readonly curve: string;
  readonly encryptedKeyShares: readonly { readonly signerId: string; readonly encryptedKeyShare: string }[];
};

/** The question that the API records for this import of a key on secp256k1. */
export function importQuestion(body: Import): ImportQuestion {
  const [share] = body.encryptedKeyShares;
  return {
    kind: 'Import',
    form: { scheme: 'ECDSA', curve: 'secp256k1' },
    signerId: share?.signerId ?? '',
    encryptedShare: share?.encryptedKeyShare ?? '',
    ...{ name: null, isMaster: false, delegatedTo: null, wallet: null, signedText: JSON.stringify(body) },
  };
}
