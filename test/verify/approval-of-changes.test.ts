import { createChangeRequestActivities } from '../../activities/change-requests/change-requests';
import { digestOf } from '../../platform/canonical';
import { checkApproval } from '../../verify/approval';
import { sign } from '../../verify/sign';
import { setSwitch } from '../support/keys';
import { RELEASING } from '../support/releasing';
import { type Office, openOffice, refusal } from './office';

type Content = {
  readonly committed: {
    readonly envelope: { readonly change: object; readonly requester: string } & Readonly<Record<string, unknown>>;
    readonly groups: readonly object[];
    readonly policies: readonly object[];
  };
  readonly requested: Readonly<Record<string, unknown>>;
};

let office: Office;
/** Two policies on signing: changes of the first need an approval, and changes of the second do not. */
let guarded: string;
let free: string;
let approvalId: string;
let file: Content;
beforeAll(async () => {
  office = await openOffice();
  guarded = await policy(holding(1));
  free = await policy(holding(1));
  await policy({ ...holding(1), name: 'Guard', activityKind: 'Policies:Modify', filters: { policyId: { in: [guarded] } } });
  office.trusted(await office.draft({ membersAmend: true }));
  approvalId = await waiting(office.admin.client.change('PUT', `/v2/policies/${guarded}`, { ...holding(2), name: 'Stricter' }));
  file = (await office.evidence(approvalId)) as Content;
});
afterAll(() => office?.close());

const holding = (quorum: number) => {
  const approvers = { userId: { in: [office.approver.userId, office.admin.userId] } };
  return {
    ...{ name: 'Hold', activityKind: 'Wallets:Sign', rule: { kind: 'AlwaysTrigger' } },
    action: { kind: 'RequestApproval', approvalGroups: [{ quorum, approvers, initiatorCanApprove: true }] },
  };
};
async function policy(body: object): Promise<string> {
  const answer = await office.admin.client.change('POST', '/v2/policies', body);
  expect(answer.status).toBe(200);
  return (answer.body as { readonly id: string }).id;
}
const steps = () => createChangeRequestActivities({ db: office.api.database.db, ...RELEASING });
/** The approval that a held change waits for. */
async function waiting(asked: ReturnType<Office['admin']['client']['change']>): Promise<string> {
  const { status, body } = await asked;
  expect(status).toBe(202);
  const changeRequestId = (body as { readonly id: string }).id;
  const standing = await steps().reviewChangeRequest({ orgId: office.orgId, changeRequestId });
  if (standing.outcome !== 'Held') throw new Error('the change waits for approval');
  return standing.approvalId;
}
const reading = (content: unknown) => checkApproval({ home: office.home, file: office.put(content) }, new Date()).join('\n');
/** The file after an attacker has changed both the content and the digest. */
const changed = (changes: object): Content => {
  const committed = { ...file.committed, ...changes };
  return { ...file, committed, digest: digestOf(JSON.parse(JSON.stringify(committed))) } as Content;
};
const envelope = (changes: object) => changed({ envelope: { ...file.committed.envelope, ...changes } });
const change = (changes: object) => envelope({ change: { ...file.committed.envelope.change, ...changes } });
const refused = (content: unknown) => refusal(() => reading(content));

test('a policy change is shown with the current policy of the charter, the requester and the policy that demands the approval', () => {
  const text = reading(file);
  expect(text).toContain(`Asked by      ${office.admin.userId}, with a key of the charter`);
  expect(text).toContain(`Now           ${guarded} "Hold"\n    version 1`);
  expect(text).toMatch(/Now.*1 of us-.*Then {10}"Stricter".*2 of us-/s);
  expect(text).toMatch(/Policy {8}\S+ "Guard"/);
  expect(text).toContain('VERIFIED');
});

test('the approval of a change is signed, is accepted by the service, and is confirmed with the last characters of the policy’s id', async () => {
  const challenge = await office.announced(approvalId);
  const to = `${office.folder}/signed.json`;
  const paths = {
    home: office.home,
    file: office.put(challenge),
    approval: office.put(file),
    key: office.keyOf(office.approver),
    to,
  };
  const typing = (typed: string) => sign(paths, { show: () => {}, ask: async () => typed }, new Date());
  expect(await refusal(() => typing('000000'))).toContain('Nothing was signed');
  await typing(guarded.slice(-6));
  const { client } = office.approver;
  const exchanged = await client.send({ method: 'POST', path: '/auth/action', text: office.read(to) });
  const headers = { 'x-svc-useraction': (exchanged.body as { readonly userAction: string }).userAction };
  const path = `/v2/policy-approvals/${approvalId}/decisions`;
  const decided = await client.send({ method: 'POST', path, text: '{"value":"Approved"}', headers });
  expect(decided.body).toMatchObject({ status: 'Approved' });
});

test('the archival of a policy is shown as the end of the policy', async () => {
  const other = await policy({ ...holding(1), name: 'Old' });
  await policy({
    ...holding(1),
    name: 'Guard of the old',
    activityKind: 'Policies:Modify',
    filters: { policyId: { in: [other] } },
  });
  const home = `${office.folder}/other-home`;
  office.trusted(await office.draft({ membersAmend: true }), home);
  const ending = await office.evidence(await waiting(office.admin.client.change('DELETE', `/v2/policies/${other}`)));
  const text = checkApproval({ home, file: office.put(ending) }, new Date()).join('\n');
  expect(text).toContain('the END of a policy');
  expect(text).toContain(`Now           ${other} "Old"`);
  expect(text).not.toContain('\nThen ');
});

test('an approval is refused if its content, policy, requester or kind of change differs from the signed request', async () => {
  expect(await refused({ ...file, committed: { ...file.committed, policies: [] } })).toContain('its digest is not the one');
  expect(await refused(change({ name: 'Looser' }))).toContain('asked for something else');
  expect(await refused(change({ action: { kind: 'Block' } }))).toContain('asked for something else');
  expect(await refused(change({ status: 'Archived' }))).toContain('asked for something else');
  expect(await refused(envelope({ requester: office.approver.userId }))).toContain('asked for something else');
  expect(await refused(envelope({ kind: 'Freeze' }))).toContain('about a change of Freeze');
  expect(await refused(envelope({ operationKind: 'Delete' }))).toContain('another form');
  expect(await refused(change({ rule: { kind: 'Never' } }))).toContain('no charter can have');
  const { requested } = file;
  const signature = Buffer.alloc(64, 1).toString('base64url');
  expect(await refused({ ...file, requested: { ...requested, signature } })).toContain('FORGED');
  const ofTransfer = (await office.held()).file['requested'];
  expect(await refused({ ...file, requested: ofTransfer })).toContain('another kind of request');
});

test('a requester is refused if the charter does not let the requester’s key change policies', async () => {
  const charter = await office.draft({ membersAmend: true });
  const home = `${office.folder}/home-without-changes`;
  const members = charter.members.map((member) => ({
    ...member,
    credentials: member.credentials.map((one) => ({ ...one, operations: ['createApprovalDecision' as const] })),
  }));
  office.trusted({ ...charter, members }, home);
  const text = await refusal(() => checkApproval({ home, file: office.put(file) }, new Date()));
  expect(text).toContain(`does not let the key of ${office.admin.userId} ask for this`);
});

test('without the signed request, the requester is shown as not proved', () => {
  const text = reading({ ...file, requested: null });
  expect(text).toContain(
    `Asked by      NOT PROVED: the file does not hold the signed request. The service says ${office.admin.userId}`,
  );
  expect(text).toContain('Then          "Stricter"');
});

test('a change of a policy or version that the charter does not contain or does not guard is refused', async () => {
  const elsewhere = { ...file, requested: null };
  const of = (changes: object) => ({ ...envelope(changes), requested: elsewhere.requested });
  expect(await refused(of({ entityId: 'plc-other' }))).toContain('does not have');
  expect(await refused(of({ baseVersion: 2 }))).toContain('based on version 2');
  expect(await refused(of({ entityId: free }))).toContain('demands no approval for a change of the policy');
});

test('quorums, voters or policies that differ from the charter are refused', async () => {
  const [policyNamed] = file.committed.policies;
  const [group] = file.committed.groups;
  expect(await refused(changed({ policies: [{ ...policyNamed, version: 2 }] }))).toContain('version 2');
  expect(await refused(changed({ policies: [{ ...policyNamed, id: guarded }] }))).toContain('does not have');
  expect(await refused(changed({ groups: [{ ...group, groupId: 'another' }] }))).toContain('does not ask');
  expect(await refused(changed({ groups: [{ ...group, voterIds: [office.stranger.userId] }] }))).toContain(
    'does not ask the people',
  );
});

describe('the export of a key', () => {
  const encryptionKey = Buffer.alloc(32, 9).toString('base64');
  let home: string;
  let ofExport: Content;
  let keyId: string;
  beforeAll(async () => {
    await setSwitch(office, office.orgId, 'keyExport', true);
    await policy({ ...holding(1), name: 'Keys stay', activityKind: 'Keys:Export' });
    home = `${office.folder}/home-with-exports`;
    office.trusted(await office.draft({ waitHours: 24 }), home);
    keyId = office.wallet.signingKey.id;
    const body = { encryptionKey, supportedSchemes: [{ protocol: 'Software', curve: 'secp256k1' }] };
    const asked = office.admin.client.change('POST', `/keys/${keyId}/export`, body);
    ofExport = (await office.evidence(await waiting(asked))) as Content;
  });
  const of = (changes: object, more: object = {}) => {
    const { envelope: seen } = ofExport.committed;
    const committed = { ...ofExport.committed, envelope: { ...seen, ...more, change: { ...seen.change, ...changes } } };
    return { ...ofExport, committed, digest: digestOf(JSON.parse(JSON.stringify(committed))) } as Content;
  };
  const exportReading = (content: unknown, at = home) =>
    checkApproval({ home: at, file: office.put(content) }, new Date()).join('\n');

  test('is shown with the key, its wallets, the recipient and the wait', () => {
    const text = exportReading(ofExport);
    expect(text).toContain('the EXPORT of a key');
    expect(text).toContain(`Key           ${keyId}`);
    expect(text).toContain(`Of wallet     ${office.wallet.id}, EthereumSepolia (a test network) ${office.wallet.address}`);
    expect(text).toContain(`Encrypted to  ${encryptionKey}`);
    expect(text).toContain('24 hours after the last vote');
    expect(text).toContain(`Asked by      ${office.admin.userId}, with a key of the charter`);
    expect(text).toContain('VERIFIED');
  });

  test('is refused for a recipient, key or requester that differs from the request, and under a charter that does not permit exports', async () => {
    const other = Buffer.alloc(32, 8).toString('base64');
    for (const bent of [
      of({ encryptionKey: other }),
      of({}, { entityId: 'key-1' }),
      of({}, { requester: office.approver.userId }),
    ])
      expect(await refusal(() => exportReading(bent))).toContain('asked for something else');
    expect(await refusal(() => exportReading({ ...ofExport, requested: file.requested }))).toContain('another kind of request');
    expect(await refusal(() => exportReading(ofExport, office.home))).toContain('forbids');
  });
});
