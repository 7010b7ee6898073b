import { randomBytes } from 'node:crypto';
import { createKeyActivities } from '../../../activities/keys';
import { sealQuestion } from '../../../application/key-requests';
import type { KeyRequestQuestion } from '../../../domain/key-requests';
import { KeyRequestEntity } from '../../../entities/keys/key-request.entity';
import { keyRequestStore } from '../../../entities/keys/key-request.store';
import { UserActionEntity } from '../../../entities/user-actions/user-action.entity';
import { newId } from '../../../platform/ids';
import { createSecretBox } from '../../../platform/secret-box';
import { APPROVING } from '../../support/approving';
import { createKey, createRecipient, setSwitch, switchOn } from '../../support/keys';
import { startWalletApi, type WalletApi } from '../../support/wallet-api';

let on: WalletApi;
let keyId: string;
let recipientKey: string;
beforeAll(async () => {
  on = await startWalletApi();
  await switchOn(on, on.orgId, 'keyExport', 'keyImport');
  keyId = (await createKey(on)).id;
  recipientKey = (await createRecipient()).encryptionKey;
});
afterAll(() => on?.close());

/** The attacker has the data key as well, so that the question opens. */
const box = createSecretBox(randomBytes(32), 'key-requests');
const exportPath = (id = keyId) => `/keys/${id}/export`;
const wish = (encryptionKey = recipientKey) => ({
  encryptionKey,
  supportedSchemes: [{ protocol: 'Software', curve: 'secp256k1' }],
});

/** A signed action for an export, announced by its user and consumed by whoever writes the row. */
async function actionFor(path = exportPath(), body: object = wish()): Promise<string> {
  const { admin, api, orgId } = on;
  await admin.client.userAction('POST', path, JSON.stringify(body));
  const rows = await api.database.db.read(orgId).rows(UserActionEntity, 'WHERE t.path = $1 ORDER BY t.id DESC LIMIT 1', [path]);
  const id = rows[0]?.id ?? '';
  await api.database.db.withOrg(orgId, (tx) => tx.query('UPDATE user_actions SET date_consumed = now() WHERE id = $1', [id]));
  return id;
}

type Set = { readonly userActionId: string | null; readonly question?: KeyRequestQuestion; readonly keyId?: string };

/** Writes the row by itself and has the worker look at it; returns how it ended, and whether the signer was asked. */
async function carriedOut({ userActionId, question = { kind: 'Export', recipientKey }, ...set }: Set) {
  const { api, orgId, admin, signer, causes } = on;
  const { db } = api.database;
  const id = newId('keyRequest');
  const { kind } = question;
  await db.withOrg(orgId, (tx) =>
    keyRequestStore.add(tx, {
      ...{ id, kind, keyId: set.keyId ?? keyId, userId: admin.userId, tokenId: admin.tokenId, userActionId },
      sealedQuestion: sealQuestion(box, id, question),
    }),
  );
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
const refused = (reason: string) => ({ status: 'Refused', refusal: `Unproven ${reason}`, asked: false });

test('an export that was put into the database by itself is refused, and the alarm is counted', async () => {
  const before = on.alarms.length;
  expect(await carriedOut({ userActionId: null })).toEqual(refused('NoAction'));
  expect(on.alarms.slice(before)).toEqual([expect.stringMatching(/^key_requests .* NoAction$/)]);
});

test('the same row with the action that its user signed for it is carried out', async () => {
  expect(await carriedOut({ userActionId: await actionFor() })).toMatchObject({ status: 'Done', asked: true });
});

test('one action makes one request', async () => {
  const userActionId = await actionFor();
  await carriedOut({ userActionId });
  await expect(carriedOut({ userActionId })).rejects.toThrow(/key_requests_by_user_action/);
});

test('an action for another key, another recipient or another operation is refused', async () => {
  const other = (await createKey(on)).id;
  expect(await carriedOut({ userActionId: await actionFor(), keyId: other })).toEqual(refused('PathDiffers'));
  const thief = (await createRecipient()).encryptionKey;
  const question = { kind: 'Export', recipientKey: thief } as const;
  expect(await carriedOut({ userActionId: await actionFor(), question })).toEqual(refused('ContentDiffers encryptionKey'));
  const derive = await actionFor(`/keys/${keyId}/derive`, { domain: 'aa', seed: 'bb' });
  expect(await carriedOut({ userActionId: derive })).toEqual(refused('PathDiffers'));
});

test('a derivation asks the signer for what was signed', async () => {
  const path = `/keys/${keyId}/derive`;
  const question = { kind: 'Derive', domainHex: '0xaa', seedHex: '0xcc' } as const;
  const userActionId = await actionFor(path, { domain: 'aa', seed: 'bb' });
  expect(await carriedOut({ userActionId, question })).toEqual(refused('ContentDiffers seed'));
});

test('an old action is not used again after its record was removed', async () => {
  const userActionId = await actionFor();
  const row = {
    orgId: on.orgId,
    id: newId('keyRequest'),
    kind: 'Export',
    keyId,
    userId: on.admin.userId,
    userActionId,
  } as KeyRequestEntity;
  const reader = on.api.database.db.read(on.orgId);
  const check = (laterMs: number) => {
    // The clock is the only SELECT without a table.
    const select = async <R extends object>(sql: string, values?: Parameters<typeof reader.select>[1]): Promise<R[]> => {
      const rows = await reader.select<R>(sql, values);
      const later = (at: unknown) => (at instanceof Date ? new Date(at.getTime() + laterMs) : at);
      if (sql.includes('FROM')) return rows;
      return rows.map((one) => Object.fromEntries(Object.entries(one).map(([name, at]) => [name, later(at)])) as R);
    };
    const asked = { kind: 'Export', recipientKey } as const;
    return on.causes.ofKeyRequest({ ...reader, select }, { ...row, tokenId: on.admin.tokenId }, asked);
  };
  expect(await check(0)).toBeUndefined();
  expect(await check(11 * 60_000)).toBe('ActionTooOld');
});

test('an export is refused once the organisation has switched it off', async () => {
  const userActionId = await actionFor();
  await setSwitch(on, on.orgId, 'keyExport', false);
  expect(await carriedOut({ userActionId })).toEqual(refused('SwitchedOff'));
  await switchOn(on, on.orgId, 'keyExport');
});
