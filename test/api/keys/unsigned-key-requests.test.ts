import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { ImportQuestion, KeyRequestQuestion } from '../../../domain/key-requests';
import type { KeyRequestEntity } from '../../../entities/keys/key-request.entity';
import { newId } from '../../../platform/ids';
import { importQuestion, carriedOut as writeRequest } from '../../support/key-orders';
import { createKey, createRecipient, importOf, setSwitch, switchOn } from '../../support/keys';
import { consumedAction } from '../../support/signed-actions';
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

const exportPath = (id = keyId) => `/keys/${id}/export`;
const wish = (encryptionKey = recipientKey) => ({
  encryptionKey,
  supportedSchemes: [{ protocol: 'Software', curve: 'secp256k1' }],
});

/** Creates a signed user action for an export. The code that inserts the row consumes the action. */
const actionFor = (path = exportPath(), body: object = wish()) => consumedAction(on, path, body);

type Set = { readonly userActionId: string | null; readonly question?: KeyRequestQuestion; readonly keyId?: string };

const carriedOut = ({ userActionId, question = { kind: 'Export', recipientKey }, ...set }: Set) =>
  writeRequest(on, { userActionId, question, keyId: set.keyId ?? keyId });
const refused = (reason: string) => ({ status: 'Refused', refusal: `Unproven ${reason}`, asked: false });

test('an export that was inserted into the database without a signed action is refused, and an alarm is raised', async () => {
  const before = on.alarms.length;
  expect(await carriedOut({ userActionId: null })).toEqual(refused('NoAction'));
  expect(on.alarms.slice(before)).toEqual([expect.stringMatching(/^key_requests .* NoAction$/)]);
});

test('the same row is carried out if it has the signed action of its user', async () => {
  expect(await carriedOut({ userActionId: await actionFor() })).toMatchObject({ status: 'Done', asked: true });
});

test('one action authorises only one request', async () => {
  const userActionId = await actionFor();
  await carriedOut({ userActionId });
  await expect(carriedOut({ userActionId })).rejects.toThrow(/key_requests_by_user_action/);
});

test('an action for a different key, recipient or operation is refused', async () => {
  const other = (await createKey(on)).id;
  expect(await carriedOut({ userActionId: await actionFor(), keyId: other })).toEqual(refused('PathDiffers'));
  const thief = (await createRecipient()).encryptionKey;
  const question = { kind: 'Export', recipientKey: thief } as const;
  expect(await carriedOut({ userActionId: await actionFor(), question })).toEqual(refused('ContentDiffers encryptionKey'));
  const derive = await actionFor(`/keys/${keyId}/derive`, { domain: 'aa', seed: 'bb' });
  expect(await carriedOut({ userActionId: derive })).toEqual(refused('PathDiffers'));
});

test('a derivation may request only the signed values from the signer', async () => {
  const path = `/keys/${keyId}/derive`;
  const question = { kind: 'Derive', domainHex: '0xaa', seedHex: '0xcc' } as const;
  const userActionId = await actionFor(path, { domain: 'aa', seed: 'bb' });
  expect(await carriedOut({ userActionId, question })).toEqual(refused('ContentDiffers seed'));
});

test('a signed text that the API would refuse authorises nothing', async () => {
  const userActionId = await actionFor(exportPath(), { ...wish(), supportedSchemes: 'all' });
  expect(await carriedOut({ userActionId })).toEqual(refused('BodyUnreadable'));
});

const anImport = () => importOf(on, on.orgId, secp256k1.utils.randomSecretKey());
const WALLET = { id: newId('wallet'), network: 'EthereumSepolia', name: null, externalId: null, requestDigest: 'aa' } as const;

test('an import is carried out as signed, with or without a wallet', async () => {
  const key = { ...(await anImport()), name: 'Old' };
  const ofKey = { userActionId: await actionFor('/keys/import', key), question: { ...importQuestion(key), name: 'Old' } };
  expect(await carriedOut({ ...ofKey, keyId: newId('key') })).toMatchObject({ status: 'Done', asked: true });
  const both = { ...(await anImport()), network: 'EthereumSepolia', name: 'Cold' };
  const question = { ...importQuestion(both), wallet: { ...WALLET, name: 'Cold' } };
  const userActionId = await actionFor('/wallets/import', both);
  expect(await carriedOut({ userActionId, question, keyId: newId('key') })).toMatchObject({ status: 'Done', asked: true });
});

test.each<[string, (other: ImportQuestion) => Partial<ImportQuestion>, string]>([
  ['share', ({ encryptedShare }) => ({ encryptedShare }), 'ContentDiffers encryptedShare'],
  ['whole text', ({ encryptedShare, signedText }) => ({ encryptedShare, signedText }), 'BodyDiffers'],
  ['form', () => ({ form: { scheme: 'Schnorr', curve: 'secp256k1' } }), 'ContentDiffers form'],
  ['signer', () => ({ signerId: 'sgn-1' }), 'ContentDiffers signerId'],
  ['name', () => ({ name: 'Ours' }), 'ContentDiffers name'],
  ['right to derive', () => ({ isMaster: true }), 'ContentDiffers isMaster'],
  ['owner', () => ({ delegatedTo: 'us-1' }), 'ContentDiffers delegatedTo'],
  ['wallet', () => ({ wallet: WALLET }), 'ContentDiffers wallet'],
])('an import with a changed %s is refused', async (_name, set, reason) => {
  const body = await anImport();
  const question = { ...importQuestion(body), ...set(importQuestion(await anImport())) };
  const userActionId = await actionFor('/keys/import', body);
  expect(await carriedOut({ userActionId, question, keyId: newId('key') })).toEqual(refused(reason));
});

test.each([{ network: 'PolygonAmoy' }, { name: 'Ours' }, { externalId: 'ours' }, { metadata: { team: 'ours' } }] as const)(
  'an import with a changed wallet is refused: %j',
  async (set) => {
    const body = { ...(await anImport()), network: 'EthereumSepolia' };
    const question = { ...importQuestion(body), wallet: { ...WALLET, ...set } };
    const userActionId = await actionFor('/wallets/import', body);
    expect(await carriedOut({ userActionId, question, keyId: newId('key') })).toEqual(refused('ContentDiffers wallet'));
  },
);

test('an action that is too old does not authorise a request', async () => {
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
    // Only the query for the current time has no FROM clause. The test moves the result of this query into the future.
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

test('an export is refused once the organisation has switched exports off', async () => {
  const userActionId = await actionFor();
  await setSwitch(on, on.orgId, 'keyExport', false);
  expect(await carriedOut({ userActionId })).toEqual(refused('SwitchedOff'));
  await switchOn(on, on.orgId, 'keyExport');
});
