import { digestOf } from '../../platform/canonical';
import { checkApproval } from '../../verify/approval';
import { RECIPIENT } from '../support/transfer-api';
import { type Office, openOffice, refusal } from './office';

type Content = {
  readonly committed: { readonly envelope: object; readonly policies: readonly object[]; readonly groups: readonly object[] };
  readonly requested: Record<string, unknown>;
  readonly digest: string;
};

let office: Office;
let file: Content;
beforeAll(async () => {
  office = await openOffice();
  office.trusted(await office.draft());
  file = (await office.held()).file as Content;
});
afterAll(() => office?.close());

const reading = (content: unknown, more: { readonly addressBook?: string } = {}, now = new Date()) =>
  checkApproval({ home: office.home, file: office.put(content), ...more }, now).join('\n');
/** The file after an attacker has changed both the content and the digest. */
const changed = (changes: object): unknown => {
  const committed = { ...file.committed, ...changes };
  return { ...file, committed, digest: digestOf(JSON.parse(JSON.stringify(committed))) };
};
const envelope = (changes: object) => changed({ envelope: { ...file.committed.envelope, ...changes } });

test('a genuine approval is shown in plain language: the requester, the transfer, the recipient, the highest fee and the reason', () => {
  const text = reading(file);
  expect(text).toContain(`Asked by      ${office.admin.userId}, with a key of the charter`);
  expect(text).toContain('Network       EthereumSepolia (a test network)');
  expect(text).toContain(`Recipient     ${RECIPIENT}  (NOT IN YOUR ADDRESS BOOK)`);
  expect(text).toContain('Amount        0.000000000000001 ETH');
  expect(text).toContain('Fee at most   0.05 ETH');
  expect(text).toContain('"Hold everything"');
  expect(text).toMatch(/Needs {9}1 of /);
  expect(text).toContain('VERIFIED');
});

test('the recipient has the name that the person’s own address book gives, on the same network only', () => {
  const book = (network: string) => office.put([{ name: 'Landlord', network, address: RECIPIENT.toLowerCase() }]);
  expect(reading(file, { addressBook: book('EthereumSepolia') })).toContain('(in your address book: "Landlord")');
  expect(reading(file, { addressBook: book('BaseSepolia') })).toContain('NOT IN YOUR ADDRESS BOOK');
});

test('a changed content is refused with and without a new digest', async () => {
  const amount = { ...file.committed.envelope, amountUnits: '1000000' };
  const kept = { ...file, committed: { ...file.committed, envelope: amount } };
  expect(await refusal(() => reading(kept))).toContain('its digest is not the one that you would sign');
  expect(await refusal(() => reading({ ...file, digest: 'ab'.repeat(32) }))).toContain('ALTERED');
  expect(await refusal(() => reading(envelope({ amountUnits: '1001' })))).toContain('the requester asked for something else');
  expect(await refusal(() => reading(envelope({ to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' })))).toContain(
    'something else',
  );
  expect(await refusal(() => reading(envelope({ asset: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' })))).toContain(
    'something else',
  );
  expect(await refusal(() => reading(envelope({ network: 'BaseSepolia' })))).toContain('a wallet that the charter');
});

test('a request whose signature is forged, whose text was changed, or whose text is missing is refused', async () => {
  const { requested } = file;
  const signature = Buffer.alloc(64, 1).toString('base64url');
  expect(await refusal(() => reading({ ...file, requested: { ...requested, signature } }))).toContain('FORGED');
  const body = String(requested['body']).replace('1000', '9000');
  expect(await refusal(() => reading({ ...file, requested: { ...requested, body } }))).toContain('ALTERED');
  const { body: _gone, ...without } = requested;
  expect(await refusal(() => reading({ ...file, requested: without }))).toContain('EXPIRED');
  expect(await refusal(() => reading({ ...file, requested: { ...requested, userId: office.approver.userId } }))).toContain(
    'does not follow from its content',
  );
});

test('a request that stays valid for at most eleven minutes is accepted, and one millisecond more is refused', async () => {
  const expiresMs = Date.parse(String(file.requested['dateExpires']));
  expect(reading(file, {}, new Date(expiresMs - 11 * 60_000))).toContain('VERIFIED');
  expect(await refusal(() => reading(file, {}, new Date(expiresMs - 11 * 60_000 - 1)))).toContain('clock of your machine');
});

test('for a file without the request, the requester is shown as not proved', () => {
  expect(reading({ ...file, requested: null })).toContain('Asked by      NOT PROVED');
});

test('policies, versions, quorums or voters that differ from the charter are refused', async () => {
  const [policy] = file.committed.policies;
  const [group] = file.committed.groups;
  expect(await refusal(() => reading(changed({ policies: [{ ...policy, version: 2 }] })))).toContain('version 2');
  expect(await refusal(() => reading(changed({ policies: [{ ...policy, id: 'plc-other' }] })))).toContain('does not have');
  expect(await refusal(() => reading(changed({ groups: [{ ...group, groupId: 'another' }] })))).toContain('does not ask');
  expect(await refusal(() => reading(changed({ groups: [{ ...group, voterIds: [office.admin.userId] }] })))).toContain(
    'does not ask the people whom the charter demands',
  );
});

test('an approval from another organisation, with an unknown kind, or from an earlier release is refused', async () => {
  expect(await refusal(() => reading(changed({ org: office.stranger.orgId })))).toContain('have not trusted a charter');
  expect(await refusal(() => reading(changed({ activityKind: 'Permissions:Modify' })))).toContain('about Permissions:Modify');
  expect(await refusal(() => reading(changed({ activityKind: 'Policies:Modify' })))).toContain('a change of an unknown kind');
  expect(await refusal(() => reading({ ...file, committed: null }))).toContain('earlier release');
});

test('duplicate members are refused, and terminal commands are harmless', async () => {
  const twice = JSON.stringify(file).replace('"envelope":', '"envelope":{},"envelope":');
  expect(await refusal(() => reading(twice))).toContain('must not appear twice');
  const text = await refusal(() => reading(changed({ activityKind: '\u001b[8mPolicies' })));
  expect(text).toContain('\\u{1b}[8mPolicies');
  expect(reading({ ...(envelope({ memo: '\u202egood' }) as object), requested: null })).toContain(
    'Also signed   memo: "\\u{202e}good"',
  );
});
