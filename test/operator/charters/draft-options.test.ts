import { readCharter } from '../../../signer/charters/charter';
import type { Person } from '../../support/api';
import { type CredentialApi, startCredentialApi } from '../../support/credential-api';
import { type CharterPlace, createCharterPlace } from './charter-place';

jest.setTimeout(120_000);

let credentials: CredentialApi;
let place: CharterPlace;
let signer: Awaited<ReturnType<CharterPlace['startSigner']>>;
let person: Person;
beforeAll(async () => {
  credentials = await startCredentialApi();
  place = createCharterPlace(credentials.api.database.appUrl);
  await place.makeKey();
  signer = await place.startSigner();
  person = await credentials.person();
});
afterAll(async () => {
  await signer?.stop();
  place?.close();
  await credentials?.api.close();
});

const seenIn = (text: string) => readCharter(text)?.seen;
async function adopt(more: Parameters<CharterPlace['draft']>[1]) {
  const draft = await place.draft(person.orgId, more);
  await place.sign(draft.to);
  await place.adopt(`${draft.to}.signed`);
  return draft;
}

test('the option --seen adds a requirement to a draft, later drafts keep the requirement, and the value none removes it', async () => {
  expect(seenIn((await adopt({})).text)).toBeUndefined();
  const demand = { seen: 'createApprovalDecision, releaseFreeze', 'seen-origins': 'https://check.example.com' };
  const { text, lines } = await adopt(demand);
  const seen = { operations: ['createApprovalDecision', 'releaseFreeze'], origins: ['https://check.example.com'] };
  expect(seenIn(text)).toEqual(seen);
  const printed = lines.join('\n');
  expect(printed).toContain('+ Seen: people must see in strongroom-verify what they sign');
  for (const words of ['approve and deny', 'release freezes', 'OR WITH A PASSKEY ON https://check.example.com'])
    expect(printed).toContain(words);
  expect(seenIn((await adopt({})).text)).toEqual(seen);
  expect((await place.status(person.orgId)).join('\n')).toContain('The database would now change: nothing');
  const last = await adopt({ seen: 'none' });
  expect(seenIn(last.text)).toBeUndefined();
  expect(last.lines.join('\n')).toContain('- Seen: people must see in strongroom-verify what they sign');
});

test('the option --members-amend lets members amend, later drafts keep this right, and --no-members-amend ends it', async () => {
  const mayAmend = (text: string) =>
    readCharter(text)?.members.some(({ credentials }) =>
      credentials.some(({ operations }) => operations.includes('createPolicy')),
    );
  expect(mayAmend((await adopt({})).text)).toBe(false);
  expect(mayAmend((await adopt({ 'members-amend': true })).text)).toBe(true);
  expect(mayAmend((await adopt({})).text)).toBe(true);
  expect(mayAmend((await adopt({ 'no-members-amend': true })).text)).toBe(false);
  expect(mayAmend((await adopt({})).text)).toBe(false);
  await expect(place.draft(person.orgId, { 'members-amend': true, 'no-members-amend': true })).rejects.toThrow(
    'exclude each other',
  );
});

test('a draft contains the mainnets that the option lists, later drafts keep them, and the value none removes them', async () => {
  const mainnetsIn = (text: string) => readCharter(text)?.mainnets;
  await expect(place.draft(person.orgId, { mainnets: 'Ethereum' })).rejects.toThrow('mainnets: needs `seen`');
  const { text, lines } = await adopt({ mainnets: 'Ethereum, Base', seen: 'all' });
  expect(mainnetsIn(text)).toEqual(['Ethereum', 'Base']);
  expect(lines.join('\n')).toContain('THE SIGNER SIGNS FOR THIS MAINNET');
  expect(lines.join('\n')).toContain('+ Mainnets: Ethereum');
  expect(mainnetsIn((await adopt({})).text)).toEqual(['Ethereum', 'Base']);
  await expect(place.draft(person.orgId, { seen: 'none' })).rejects.toThrow('mainnets: needs `seen`');
  for (const wrong of ['none,Ethereum', 'EthereumSepolia', 'Nowhere', '', 'Ethereum,Ethereum'])
    await expect(place.draft(person.orgId, { mainnets: wrong })).rejects.toThrow('mainnets');
  const last = await adopt({ mainnets: 'none', seen: 'none' });
  expect(mainnetsIn(last.text)).toBeUndefined();
  expect(last.lines.join('\n')).toContain('- Mainnets: Ethereum');
});

test('a draft permits exports under the policies on exports, later drafts keep the hours, and the value none ends this right', async () => {
  const exportsIn = (text: string) => readCharter(text)?.exports;
  const mayExport = (text: string) =>
    readCharter(text)?.members.some(({ credentials }) => credentials.some(({ operations }) => operations.includes('exportKey')));
  expect(mayExport((await adopt({})).text)).toBe(false);
  await expect(place.draft(person.orgId, { exports: '24' })).rejects.toThrow('exports.policies');
  const approvers = { userId: { in: [person.userId] } };
  const policy = {
    ...{ name: 'Before exports', activityKind: 'Keys:Export', rule: { kind: 'AlwaysTrigger' } },
    action: { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers, initiatorCanApprove: true }] },
  };
  expect((await person.client.change('POST', '/v2/policies', policy)).status).toBe(200);
  const { text, lines } = await adopt({ exports: '24' });
  expect(exportsIn(text)).toMatchObject({ waitHours: 24, policies: [{ activityKind: 'Keys:Export', filters: null }] });
  expect(mayExport(text)).toBe(true);
  expect(lines.join('\n')).toContain('KEYS LEAVE THE SIGNER');
  expect(lines.join('\n')).toContain('24 hours after the last of these votes');
  expect(exportsIn((await adopt({})).text)?.waitHours).toBe(24);
  expect(exportsIn((await adopt({ exports: '0' })).text)?.waitHours).toBe(0);
  for (const wrong of ['', '-1', '169', '1.5', 'a day'])
    await expect(place.draft(person.orgId, { exports: wrong })).rejects.toThrow('--exports');
  const last = await adopt({ exports: 'none' });
  expect(exportsIn(last.text)).toBeUndefined();
  expect(mayExport(last.text)).toBe(false);
});

test('the option makes a draft serve end users, later drafts keep the setting, and the value none removes it', async () => {
  const servedBy = (text: string) => readCharter(text)?.endUsers;
  expect(servedBy((await adopt({})).text)).toBeUndefined();
  const { text, lines } = await adopt({ 'end-users': 'test' });
  expect(servedBy(text)).toEqual({ networks: 'Test' });
  expect(lines.join('\n')).toContain('END USERS SIGN WITH THE KEYS THAT THEY HOLD');
  expect(lines.join('\n')).toContain('only on test networks');
  expect(servedBy((await adopt({})).text)).toEqual({ networks: 'Test' });
  const all = await adopt({ 'end-users': 'all' });
  expect(servedBy(all.text)).toEqual({ networks: 'All' });
  expect(all.lines.join('\n')).toContain('ALSO ON THE MAINNETS OF THIS CHARTER');
  for (const wrong of ['', 'Test', 'mainnets'])
    await expect(place.draft(person.orgId, { 'end-users': wrong })).rejects.toThrow('--end-users');
  expect(servedBy((await adopt({ 'end-users': 'none' })).text)).toBeUndefined();
});

test('the value all of --seen means every operation', async () => {
  const { text } = await place.draft(person.orgId, { seen: 'all' });
  expect(seenIn(text)?.operations).toContain('transferAsset');
  expect(seenIn(text)?.origins).toEqual([]);
});

test.each([
  [{ seen: 'approve' }, 'createApprovalDecision'],
  [{ seen: '' }, 'createApprovalDecision'],
  [{ 'seen-origins': 'https://check.example.com' }, '--seen-origins needs --seen'],
  [{ seen: 'none', 'seen-origins': 'https://check.example.com' }, '--seen-origins needs --seen'],
  [{ seen: 'all', 'seen-origins': 'check.example.com' }, 'https://check.example.com'],
])('the options %j are refused with a clear message', async (options, words) => {
  await expect(place.draft(person.orgId, options)).rejects.toThrow(words);
});
