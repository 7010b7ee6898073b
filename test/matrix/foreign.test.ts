import type { Client } from 'pg';
import { operations } from '../../api/operations';
import { listApplications } from '../../application/users/apps';
import { ID_PREFIXES, type IdKind } from '../../domain/ids';
import { newId } from '../../platform/ids';
import { type Person, startApi, type TestApi } from '../support/api';
import { asSuperuser } from '../support/roles';
import { bodyOf, FILE_CHECKSUM, takesForm } from './body-of';
import { personOf, userActionFor } from './people';
import { sampleOf } from './sample';
import { snapshotOf } from './snapshot';

jest.setTimeout(240_000);

/** For each path parameter, the table and the kind of id to which the parameter refers. */
const ROWS: Readonly<Record<string, readonly [table: string, kind: IdKind]>> = {
  walletId: ['wallets', 'wallet'],
  keyId: ['keys', 'key'],
  transferId: ['transfers', 'transfer'],
  transactionId: ['transfers', 'transaction'],
  signatureId: ['signatures', 'signature'],
  policyId: ['policies', 'policy'],
  addressId: ['registry_addresses', 'registryAddress'],
  backtestId: ['backtests', 'backtest'],
  contractSchemaId: ['contract_schemas', 'contractSchema'],
  approvalId: ['approvals', 'approval'],
  feeSponsorId: ['fee_sponsors', 'feeSponsor'],
  freezeId: ['freezes', 'freeze'],
  webhookId: ['webhooks', 'webhook'],
  webhookEventId: ['webhook_events', 'webhookEvent'],
  userId: ['users', 'user'],
  serviceAccountId: ['users', 'user'],
  tokenId: ['access_tokens', 'token'],
  credentialUuid: ['credentials', 'credential'],
  recoveryId: ['recoveries', 'recovery'],
  permissionId: ['permissions', 'permission'],
  assignmentId: ['permission_assignments', 'assignment'],
  addressWatchId: ['address_watches', 'addressWatch'],
  storeId: ['key_stores', 'keyStore'],
  groupId: ['fleet_groups', 'fleetGroup'],
  id: ['user_actions', 'userAction'],
};

/** Bodies that cannot be derived from the schema, because they need a pattern or an id from the other organisation. */
const BODIES: Readonly<Record<string, (ids: Readonly<Record<string, string>>) => unknown>> = {
  backfillWalletHistory: () => ({ fromBlock: 1 }),
  backfillAddressWatchHistory: () => ({ fromBlock: 1 }),
  tagWallet: () => ({ tags: ['tag'] }),
  untagWallet: () => ({ tags: ['tag'] }),
  transferAsset: () => ({ kind: 'Native', to: `0x${'ab'.repeat(20)}`, amount: '1' }),
  createKey: ({ keyId }) => ({ scheme: 'ECDSA', curve: 'secp256k1', deriveFrom: { keyId } }),
  createWallet: ({ keyId }) => ({ network: 'KeyECDSA', signingKey: { id: keyId } }),
  delegateKey: () => ({ delegateTo: newId('user') }),
  deriveKey: () => ({ domain: '0x01', seed: '0x02' }),
  exportKey: () => ({ encryptionKey: 'AA==', supportedSchemes: [] }),
  exportWallet: () => ({ encryptionKey: 'AA==', supportedSchemes: [] }),
  keysGenerateSignature: () => ({ kind: 'Hash', hash: 'ab'.repeat(32) }),
  walletsGenerateSignature: () => ({ kind: 'Hash', hash: 'ab'.repeat(32) }),
  createFeeSponsor: ({ walletId }) => ({ walletId }),
  createFreeze: ({ walletId }) => ({ target: { kind: 'Wallet', id: walletId }, reason: 'not ours' }),
  createAssignment: ({ userId }) => ({ identityId: userId }),
  activateCredential: ({ credentialUuid }) => ({ credentialUuid }),
  deactivateCredential: ({ credentialUuid }) => ({ credentialUuid }),
  broadcastTransaction: () => ({ kind: 'Evm', to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }),
  createPermission: () => ({ name: 'Readers', operations: ['Wallets:Read'] }),
  updatePermission: () => ({ name: 'Readers', operations: ['Wallets:Read'] }),
  createGenesisInput: () => ({ kind: 'Genesis', numProvisioners: 3, numSecp256k1: 1, numEd25519: 1, hsmGenesisSerial: 'dev-1' }),
  createCloneInput: () => ({ kind: 'Clone', hsmSourceSerial: 'dev-1', hsmTargetSerial: 'dev-2' }),
  createKeyHarvestInput: () => ({
    ...{ kind: 'KeyHarvest', hsmTargetSerial: 'dev-1', macTargetSerial: 'mac-1', macTargetUsername: 'ada', numEd25519: 1 },
  }),
  createAddProvisionerInput: () => ({ kind: 'AddProvisioner', macTargetSerial: 'mac-1', hsmTargetSerial: 'dev-1' }),
  createAddMacUserInput: () => ({ kind: 'AddMacUser', macTargetSerial: 'mac-1', hsmTargetSerial: 'dev-1' }),
  submitGenesisOutput: (given) => ceremonyOutput(given),
  submitCloneOutput: (given) => ceremonyOutput(given),
  submitKeyHarvestOutput: (given) => ceremonyOutput(given),
  submitAddProvisionerOutput: (given) => ceremonyOutput(given),
  submitAddMacUserOutput: (given) => ceremonyOutput(given),
  submitOnchainSignOutput: (given) => signOutput(given),
  createProofOfControlInput: ({ walletId }) => ({ walletIds: [walletId] }),
  submitProofOfControlOutput: (given) => signOutput(given),
  approveFleetOperation: () => ({ manifest: 'ab'.repeat(32) }),
  rejectFleetOperation: () => ({ reason: 'not ours' }),
  cancelFleetOperation: ({ groupId }) => ({ groupId, reason: 'not ours' }),
};

const harvest = { 'ed25519-start': 0, ed25519: 1, 'secp256k1-start': 0, secp256k1: 1, error: null };
const ceremonyOutput = ({ groupId }: Readonly<Record<string, string>>) => ({
  fileChecksum: FILE_CHECKSUM,
  outputJson: {
    ...{ type: 'fleet-output', version: 1, status: 'success', org_id: 'or-1', fleet_id: 'fl-1', fleet_label: 'Vault' },
    ...{ keystore_id: 'ks-1', group_id: groupId },
    outputs: { 'fo-1': { success: { type: 'key-harvest', hsm_target_serial: 'dev-1', key_harvest: harvest } } },
  },
});

const signOutput = ({ groupId }: Readonly<Record<string, string>>) => ({
  fileChecksum: FILE_CHECKSUM,
  outputJson: {
    ...{ type: 'keystore-output', version: 1, org_id: 'or-1', fleet_id: 'fl-1', keystore_id: 'ks-1', group_id: groupId },
    ...{ status: 'success', outputs: {} },
  },
});

let api: TestApi;
const ids: Record<string, string> = {};
const people = new Map<string, Person>();
beforeAll(async () => {
  api = await startApi({ own: 'it compares every table before and after' });
  const owner = await api.createOrganization();
  await asSuperuser((client) => seed(client, owner), api.database.name);
  const pages = { relyingParty: { id: 'localhost', name: 'Strongroom', origins: ['http://localhost:3000'] } };
  ids['appId'] = listApplications(pages, { orgId: owner })[0]?.appId ?? '';
  const stranger = await api.createOrganization();
  for (const kind of ['CustomerEmployee', 'EndUser', 'ServiceAccount'] as const) {
    people.set(kind, await personOf(api, stranger, kind));
  }
});
afterAll(() => api?.close());

/** Inserts one row into each table of ROWS, with values made from the column types. No other organisation may read these rows. */
async function seed(client: Client, orgId: string): Promise<void> {
  await client.query(`SET session_replication_role = 'replica'`);
  const { rows } = await client.query<{ name: string; column: string; type: string }>(
    `SELECT table_name AS name, column_name AS column, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'public' AND is_nullable = 'NO' AND column_default IS NULL AND is_generated = 'NEVER'`,
  );
  const made = new Map<string, string>();
  for (const [param, [table, kind]] of Object.entries(ROWS)) {
    const known = made.get(table);
    ids[param] = known ?? newId(kind);
    if (known) continue;
    made.set(table, ids[param]);
    const columns = rows.filter(({ name }) => name === table);
    const values = columns.map(({ column, type }) => {
      if (column === 'org_id') return orgId;
      if (column === 'id') return ids[param];
      if (type === 'jsonb') return '{}';
      if (type === 'boolean') return 'true';
      if (type === 'integer' || type === 'bigint' || type === 'numeric') return '0';
      return type.startsWith('timestamp') ? '2026-01-01T00:00:00Z' : `${column} of ${ids[param]}`;
    });
    const places = values.map((_, at) => `$${at + 1}`).join(', ');
    await client.query(`INSERT INTO ${table} (${columns.map(({ column }) => column).join(', ')}) VALUES (${places})`, values);
  }
}

/** Parameters that do not refer to a record of one organisation: a network, or a kind of integration. */
const KINDS = /:(?:integrationKind|network)\b/;
const reached = operations.filter(
  ({ id, path, access }) => access === undefined && (path.replace(KINDS, '').includes(':') || BODIES[id] !== undefined),
);
const listing = operations.filter(({ method, path, access }) => access === undefined && method === 'get' && !path.includes(':'));

async function send(id: string) {
  const operation = operations.find((one) => one.id === id);
  const person = people.get(operation?.callers[0] ?? '');
  if (!operation || !person) throw new Error(`no kind of caller may call ${id}`);
  const path = operation.path.replace(/:(\w+)/g, (_, param: string) => {
    const found = ids[param];
    if (found === undefined) throw new Error(`${id}: name the table of :${param} in ROWS`);
    return found;
  });
  const method = operation.method.toUpperCase();
  const body = method === 'GET' ? undefined : (BODIES[id]?.(ids) ?? sampleOf(operation.body) ?? {});
  if (body !== undefined && !operation.body.safeParse(body).success && !operation.body.safeParse(undefined).success) {
    throw new Error(`${id}: give a valid body in BODIES`);
  }
  const text = body === undefined ? '' : JSON.stringify(body);
  const userAction = operation.userAction ? await userActionFor(api, person, { method, path, text }) : undefined;
  const before = await snapshotOf(api.database.name);
  const { headers, ...sent } = bodyOf(takesForm(operation), text);
  const response = await fetch(`${api.url}${path}`, {
    ...{ method, ...sent },
    headers: {
      ...headers,
      authorization: `Bearer ${person.token}`,
      ...(userAction === undefined ? {} : { 'x-svc-useraction': userAction }),
    },
  });
  const answer = await response.text();
  return {
    status: response.status,
    answer,
    isUnchanged: JSON.stringify(before) === JSON.stringify(await snapshotOf(api.database.name)),
  };
}

/** Texts that only the rows of the other organisation contain. An answer with such a text comes from that organisation. */
const secrets = () => Object.values(ids).map((id) => `of ${id}`);

test.each(reached.filter(({ id }) => id !== 'createPermission').map(({ id }) => id))(
  '404: the record for %s belongs to another organisation, and nothing changes',
  async (id) => {
    const { status, answer, isUnchanged } = await send(id);
    // For an id in the body, the API returns 400.
    expect([id, [400, 404].includes(status), isUnchanged, answer]).toEqual([id, true, true, expect.not.stringContaining(' of ')]);
    for (const secret of secrets()) expect(answer).not.toContain(secret);
  },
);

test.each(listing.map(({ id }) => id))('%s does not list records of another organisation', async (id) => {
  const { answer, isUnchanged } = await send(id);
  for (const found of Object.values(ids)) expect(answer).not.toContain(found);
  expect(isUnchanged).toBe(true);
});

test('ROWS contains only existing kinds of id', () => {
  for (const [, kind] of Object.values(ROWS)) expect(ID_PREFIXES[kind]).toBeDefined();
});
