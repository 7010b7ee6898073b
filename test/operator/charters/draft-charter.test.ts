import { createHash, createPublicKey } from 'node:crypto';
import { statSync } from 'node:fs';
import { AMENDMENT_KINDS, AMENDMENTS } from '../../../domain/amendments';
import { KeyEntity } from '../../../entities/keys/key.entity';
import { registryAddressStore } from '../../../entities/registry/registry-address.store';
import { CHARTER_COMMANDS } from '../../../operator/charter-commands';
import { verifyAssertion } from '../../../platform/credential-keys';
import { newId } from '../../../platform/ids';
import { type Charter, readCharter } from '../../../signer/charters/charter';
import type { Person } from '../../support/api';
import { type CredentialApi, startCredentialApi } from '../../support/credential-api';
import { insertPolicy, insertWallet } from '../../support/held-activity';
import { askFor } from '../../support/policies';
import { type ProgramApi, startProgramApi } from '../../support/programs';
import { type CharterPlace, createCharterPlace } from './charter-place';

jest.setTimeout(120_000);

let credentials: CredentialApi;
let programs: ProgramApi;
let place: CharterPlace;
beforeAll(async () => {
  credentials = await startCredentialApi();
  programs = await startProgramApi();
  place = createCharterPlace(credentials.api.database.appUrl);
  await place.makeKey();
  await (await place.startSigner()).stop();
});
afterAll(async () => {
  place?.close();
  await Promise.all([credentials?.api.close(), programs?.close()]);
});

const db = () => credentials.api.database.db;
const charterOf = (text: string): Charter => {
  const charter = readCharter(text);
  if (!charter) throw new Error('the draft is not a charter');
  return charter;
};
const memberOf = ({ members }: Charter, userId: string) => members.find((member) => member.userId === userId);
const ALL = [
  'transferAsset',
  'broadcastTransaction',
  'walletsGenerateSignature',
  'keysGenerateSignature',
  'createApprovalDecision',
  'releaseFreeze',
  'deriveKey',
];

/** Replaces the key with which the person was created, so that the person has only what the test adds. */
const withoutFirstKey = ({ orgId, credentialUuid }: Person) =>
  db().withOrg(orgId, (tx) =>
    tx.query('UPDATE credentials SET is_active = false WHERE org_id = $1 AND id = $2', [orgId, credentialUuid]),
  );

test.each(['ES256', 'EdDSA', 'RS256'] as const)(
  'the key of a %s passkey in a charter verifies an assertion of the passkey',
  async (algorithm) => {
    const person = await credentials.person();
    const { uuid, authenticator } = await credentials.passkey(person, algorithm);
    const { text } = await place.draft(person.orgId);
    const credential = memberOf(charterOf(text), person.userId)?.credentials.find(({ id }) => id === uuid);
    expect(credential).toMatchObject({ kind: 'Fido2', relyingPartyId: 'localhost', operations: ALL });
    const assertion = authenticator.assert('a challenge');
    const bytes = (part: string) => Buffer.from(part, 'base64url');
    const clientHash = createHash('sha256').update(bytes(assertion.clientData)).digest();
    const signed = Buffer.concat([bytes(assertion.authenticatorData), clientHash]);
    const key = createPublicKey(credential?.publicKey ?? '');
    expect(verifyAssertion(key, signed, bytes(assertion.signature))).toBe(true);
    expect(verifyAssertion(key, Buffer.concat([signed, Buffer.from([0])]), bytes(assertion.signature))).toBe(false);
  },
);

test('members are the people and programs who can sign now, each credential with the operations that the service lets it sign', async () => {
  const orgId = await credentials.api.createOrganization({ grantBeyondOwnRights: true, voterCoolingHours: 0 });
  const admin = await programs.admin(orgId);
  const clerk = await credentials.api.createPerson(orgId, { operations: ['Wallets:Transfers:Create', 'Auth:Pats:Create'] });
  const reader = await credentials.api.createPerson(orgId, { operations: ['Wallets:Read', 'Auth:Pats:Create'] });
  const inactive = await credentials.api.createPerson(orgId);
  await db().withOrg(orgId, (tx) =>
    tx.query('UPDATE users SET is_active = false WHERE org_id = $1 AND id = $2', [orgId, inactive.userId]),
  );
  const customer = await credentials.api.createPerson(orgId, { kind: 'EndUser' });
  const typist = await credentials.person(orgId);
  await credentials.password(typist);
  await credentials.totp(typist);
  await credentials.key(typist, 'RecoveryKey');
  await credentials.key(typist, 'PasswordProtectedKey');
  await withoutFirstKey(typist);
  const permissionId = await programs.permissionOf(clerk);
  const account = await programs.account(admin, { permissionId });
  const narrow = await programs.token(admin, { permissionId });
  const wide = await programs.token(clerk);
  const idle = await programs.token(reader);
  const [expired, removed] = [await programs.token(admin), await programs.token(admin)];
  await programs.expire(orgId, expired.id);
  await admin.client.change('DELETE', `/auth/pats/${removed.id}`);

  const { text, lines } = await place.draft(orgId);
  const charter = charterOf(text);
  expect(charter.members.map(({ userId }) => userId).sort()).toEqual([admin.userId, clerk.userId, account.id].sort());
  const credentialOf = async (tokenId: string) => {
    const [row] = await db()
      .read(orgId)
      .select<{ id: string }>('SELECT credential_id AS id FROM access_tokens WHERE id = $1', [tokenId]);
    return row?.id;
  };
  const operationsOf = (userId: string) =>
    Object.fromEntries(memberOf(charter, userId)?.credentials.map(({ id, operations }) => [id, operations]) ?? []);
  expect(operationsOf(admin.userId)).toEqual({
    [admin.credentialUuid]: ALL,
    [(await credentialOf(narrow.id)) ?? '']: ['transferAsset'],
  });
  expect(operationsOf(clerk.userId)).toEqual({
    [clerk.credentialUuid]: ['transferAsset'],
    [(await credentialOf(wide.id)) ?? '']: ['transferAsset'],
  });
  expect(memberOf(charter, account.id)).toMatchObject({
    isServiceAccount: true,
    hand: admin.userId,
    credentials: [{ kind: 'Key', operations: ['transferAsset'], tokenId: account.token.tokenId }],
  });
  const tokensOf = memberOf(charter, admin.userId)?.credentials.map(({ id, tokenId }) => [id, tokenId]);
  expect(new Map(tokensOf as [string, string | undefined][])).toEqual(
    new Map([
      [admin.credentialUuid, undefined],
      [await credentialOf(narrow.id), narrow.id],
    ]),
  );
  expect(memberOf(charter, admin.userId)).toMatchObject({ isServiceAccount: false, hand: admin.userId });

  const printed = lines.join('\n');
  const reasons: readonly [string, string][] = [
    ['1 end users', 'only members'],
    [reader.userId, 'no credential that a charter can have'],
    [typist.userId, 'no credential that a charter can have'],
    [`Key ${(await credentialOf(idle.id)) ?? ''} of ${reader.userId}`, 'none of the operations'],
    [`Key ${(await credentialOf(expired.id)) ?? ''} of ${admin.userId}`, 'token is not usable'],
  ];
  for (const [subject, reason] of reasons) expect(printed).toMatch(new RegExp(`^  ${subject}: .*${reason}`, 'm'));
  for (const kind of ['Password', 'Totp', 'RecoveryKey', 'PasswordProtectedKey'])
    expect(printed).toMatch(new RegExp(`^  ${kind} cred-\\S+ of ${typist.userId}: `, 'm'));
  for (const { userId } of [inactive, customer]) expect(text).not.toContain(userId);
});

test('a draft contains the wallets, sponsors, registry entries and policies in force, and lists the omitted records', async () => {
  const person = await credentials.person();
  const { orgId, userId } = person;
  const tagged = await insertWallet(db(), orgId, ['Zürich', 'cold']);
  const [archived, sponsoring, resting] = [
    await insertWallet(db(), orgId),
    await insertWallet(db(), orgId),
    await insertWallet(db(), orgId),
  ];
  const [entry, cooling, unnamed] = [newId('registryAddress'), newId('registryAddress'), newId('registryAddress')];
  const [sponsor, idle, loose] = [newId('feeSponsor'), newId('feeSponsor'), newId('key')];
  await db().withOrg(orgId, async (tx) => {
    await tx.query(`UPDATE wallets SET status = 'Archived' WHERE org_id = $1 AND id = $2`, [orgId, archived]);
    await tx.insert(KeyEntity, { orgId, id: loose, scheme: 'ECDSA', curve: 'secp256k1', status: 'Active' });
    const past = new Date(Date.now() - 60_000);
    const common = { name: 'Payee', network: 'EthereumSepolia' as const };
    for (const [at, id] of [entry, cooling, unnamed].entries())
      await registryAddressStore.add(tx, {
        ...{ ...common, id, address: `0x${String(at + 1).repeat(40)}` },
        dateActive: id === cooling ? new Date(Date.now() + 3_600_000) : past,
      });
    for (const [id, walletId, status] of [
      [sponsor, sponsoring, 'Active'],
      [idle, resting, 'Deactivated'],
    ])
      await tx.query(
        `INSERT INTO fee_sponsors (org_id, id, wallet_id, network, allow_end_user, status, user_action_id)
         VALUES ($1, $2, $3, 'EthereumSepolia', false, $4, 'ua')`,
        [orgId, id, walletId, status],
      );
  });
  const groups = [
    {
      ...{ id: 'g-1', name: 'Finance', quorum: 2, approvers: { userId: { in: [userId, 'us-gone'] } } },
      escalation: { afterMinutes: 30, approvers: {} },
    },
  ];
  const policyId = await insertPolicy(db(), orgId, {
    name: 'Known payees\u001b[2K',
    rule: {
      kind: 'TransactionRecipientWhitelist',
      configuration: { addresses: ['0xabc'], registryAddressIds: [entry, cooling] },
    },
    action: askFor(groups, 60),
    filters: { walletTags: { hasAny: ['cold'] } },
  });
  const other = await insertPolicy(db(), orgId, { action: { kind: 'Block' }, activityKind: 'Permissions:Assign' });

  const { text, lines, to } = await place.draft(orgId);
  const charter = charterOf(text);
  expect(statSync(to).mode & 0o777).toBe(0o600);
  expect(charter.wallets.map(({ id }) => id).sort()).toEqual([tagged, sponsoring, resting].sort());
  expect(charter.wallets.find(({ id }) => id === tagged)).toMatchObject({ network: 'EthereumSepolia', tags: ['Zürich', 'cold'] });
  expect(charter.feeSponsors).toEqual([{ id: sponsor, walletId: sponsoring }]);
  expect(charter.registryAddresses).toEqual([{ id: entry, network: 'EthereumSepolia', address: `0x${'1'.repeat(40)}` }]);
  expect(charter.policies).toMatchObject([{ id: policyId, activityKind: 'Wallets:Sign', action: { approvalGroups: groups } }]);
  expect(text).not.toContain(other);

  const printed = lines.join('\n');
  for (const line of [
    '1 archived wallets: they no longer sign',
    `${cooling}: the entry of the registry was deleted or is still in its cooling period`,
    `${idle}: the fee sponsor is deactivated, or its wallet is left out`,
    `${loose}: the key has no wallet with an address`,
  ])
    expect(printed).toContain(`  ${line}`);
  expect(printed).toContain('    tags "Zürich", "cold"');
  expect(printed).toContain('triggers on a recipient that is not listed');
  expect(printed).toMatch(
    new RegExp(`2 of ${userId} [^;]*, us-gone \\(NO MEMBER\\); after 30 minutes also all employees; group Finance`),
  );
  // Control characters in the name of a policy must not clear a line on the terminal.
  expect(printed).toContain('Known payees\\u{1b}[2K');
  expect(printed).not.toContain('\u001b');
});

test('a draft that the signer could not read as a charter is refused with the places of the faults', async () => {
  const person = await credentials.person();
  const walletId = await insertWallet(db(), person.orgId);
  await credentials.api.database.arrange('UPDATE wallets SET address = repeat($2, 200) WHERE id = $1', [walletId, 'a']);
  await expect(place.draft(person.orgId)).rejects.toThrow(/would not accept this charter:\n {2}wallets\.0\.address: /);
});

test('a draft never replaces a file, and an organisation that does not exist is refused', async () => {
  const person = await credentials.person();
  const { to } = await place.draft(person.orgId);
  await expect(CHARTER_COMMANDS['authority:draft'].run({ org: person.orgId, to })).rejects.toThrow('not overwritten');
  await expect(place.draft('or-00000-00000-0000000000000000')).rejects.toThrow('organization not found');
});

test('members may amend a charter only with the option of the draft, and only by changes that their permissions allow', async () => {
  const orgId = await credentials.api.createOrganization();
  const admin = await credentials.api.createPerson(orgId);
  const clerk = await credentials.api.createPerson(orgId, {
    operations: ['Wallets:Transfers:Create', 'Wallets:Create', 'Wallets:Tags:Add'],
  });
  await insertPolicy(db(), orgId, {
    activityKind: 'Policies:Modify',
    action: askFor([{ name: 'All', quorum: 1, approvers: {} }]),
  });
  const operationsIn = (text: string) =>
    [admin, clerk].map(({ userId }) => memberOf(charterOf(text), userId)?.credentials[0]?.operations);
  const without = await place.draft(orgId);
  expect(operationsIn(without.text)).toEqual([ALL, ['transferAsset']]);
  expect(charterOf(without.text).changePolicies).toMatchObject([{ activityKind: 'Policies:Modify' }]);
  const { text, lines } = await place.draft(orgId, { 'members-amend': true });
  const amendments = AMENDMENT_KINDS.filter((kind) => AMENDMENTS[kind].permissions.length > 0);
  // The clerk may not create wallets, because createWallet also needs the permission to create keys.
  expect(operationsIn(text)).toEqual([
    [...ALL, ...amendments],
    ['transferAsset', 'tagWallet'],
  ]);
  expect(lines.join('\n')).toContain('ADD TAGS OF WALLETS IN THIS CHARTER');
});

test('a draft that serves end users leaves out their wallets and keys, and keeps a member who may only create them', async () => {
  const person = await credentials.person();
  const { orgId } = person;
  const [own, personal] = [await insertWallet(db(), orgId), await insertWallet(db(), orgId)];
  const clerk = await credentials.api.createPerson(orgId, {
    isServiceAccount: true,
    operations: ['Keys:Create', 'Keys:Delegate'],
  });
  const loose = newId('key');
  await db().withOrg(orgId, async (tx) => {
    const delegated = { orgId, scheme: 'ECDSA', curve: 'secp256k1', status: 'Active', delegatedTo: 'us-customer' } as const;
    await tx.insert(KeyEntity, { ...delegated, id: loose });
    const ofWallet = '(SELECT key_id FROM wallets WHERE org_id = $1 AND id = $2)';
    await tx.query(`UPDATE keys SET delegated_to = 'us-customer' WHERE org_id = $1 AND id = ${ofWallet}`, [orgId, personal]);
  });
  const walletsIn = (text: string) =>
    charterOf(text)
      .wallets.map(({ id }) => id)
      .sort();
  const memberIn = (text: string) => charterOf(text).members.find(({ userId }) => userId === clerk.userId);
  const before = await place.draft(orgId);
  expect(walletsIn(before.text)).toEqual([own, personal].sort());
  expect(memberIn(before.text)).toBeUndefined();
  const { text, lines } = await place.draft(orgId, { 'end-users': 'test' });
  expect(walletsIn(text)).toEqual([own]);
  expect(memberIn(text)?.credentials).toMatchObject([{ operations: [] }]);
  const printed = lines.join('\n');
  expect(printed).toContain('1 wallets of end users: only the holder of a key decides about them');
  expect(printed).toContain('may only ask for keys of end users');
  expect(printed).not.toContain(loose);
});
