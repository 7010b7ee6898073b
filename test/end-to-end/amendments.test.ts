import { newId } from '../../platform/ids';
import { VERIFIER_ORIGIN } from '../../platform/seen-assertions';
import { AMENDMENT_RECORDED, AMENDMENTS_WORKFLOW, amendmentsOf } from '../../workflows/amendments.messages';
import { createChartering } from '../red-team/chartering';
import { asking, type Installation, type Office, type Person, startInstallation } from '../red-team/installation';
import { createRows } from '../red-team/rows';
import { Client } from '../support/client';
import { createRecipient, type KeyExportBody } from '../support/keys';
import { ended, ok, send, type TransferBody, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(240_000);
/** Temporal retries the activity of a killed worker after 30 seconds. */
const AMENDED_WITHIN_MS = 60_000;

type Amendment = {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly reason?: string;
  /** The charter (the organisation's signed rules) that resulted from this amendment. */
  readonly charter?: { readonly sequence: number };
};
type Authority = {
  readonly charter: {
    readonly sequence: number;
    readonly digest: string;
    readonly members: readonly { readonly userId: string }[];
    readonly policies: readonly { readonly id: string; readonly version: number }[];
  } | null;
  readonly waiting: readonly Amendment[];
  readonly refused: readonly Amendment[];
};
type PolicyBody = { readonly id: string };

let installation: Installation;
let chartering: ReturnType<typeof createChartering>;
let office: Office;
/** Transfers of this wallet wait for Ben and Cyd, and so do changes of this policy. */
let held: WalletBody;
let heldPolicy: PolicyBody;

beforeAll(async () => {
  installation = await startInstallation({ SIGNER_EXPORT: 'true' });
  chartering = createChartering(installation);
  office = await installation.createOffice('lima');
  held = await office.wallet('free');
  heldPolicy = await policy(asking('Wallets:Sign', office, { walletId: { in: [held.id] } }));
  await policy(asking('Policies:Modify', office, { policyId: { in: [heldPolicy.id] } }));
  await chartering.charter(office.orgId, { membersAmend: true });
  await waitUntil('the service to know the charter', async () => (await authority()).charter !== null);
});
afterAll(async () => {
  chartering?.close();
  await installation?.close();
});

const policy = async (body: object) => ok(await office.ada.client.change('POST', '/v2/policies', body)) as PolicyBody;
const authority = async () => ok(await office.ada.client.get('/organizations/authority')) as Authority;
const charter = async () => {
  const { charter: known } = await authority();
  if (!known) throw new Error('the organisation has no charter');
  return known;
};
/** Waits until the signer has decided about the last amendment of the kind, and returns this amendment. */
const amended = (kind: string) =>
  waitUntil(
    `the end of ${kind}`,
    async () => {
      const { items } = ok(await office.ada.client.get('/organizations/authority/amendments')) as { items: readonly Amendment[] };
      const last = items.find((one) => one.kind === kind);
      return last !== undefined && last.status !== 'Waiting' && last;
    },
    AMENDED_WITHIN_MS,
  );
/** Waits until the amendment is in force and the service has read the resulting charter, which takes some seconds. */
async function inForce(kind: string): Promise<void> {
  const last = await amended(kind);
  expect(last).toMatchObject({ kind, status: 'InForce', charter: { sequence: expect.any(Number) } });
  const isRead = async () => (await charter()).sequence >= (last.charter?.sequence ?? 0);
  await waitUntil('the service to read the charter', isRead);
}
const confirmed = async (wallet: WalletBody, sent: TransferBody) => ended(office.ada.client, wallet.id, sent.id);

test('a member creates a wallet and pays from it without a new charter from the operator', async () => {
  const wallet = await office.wallet('free');
  await inForce('createWallet');
  const sent = await send(office.ada.client, wallet.id);
  expect(await confirmed(wallet, sent)).toMatchObject({ status: 'Confirmed' });
});

test('the signer enforces a member’s new policy, even if the service is killed before the signer’s reply and rows hide the policy', async () => {
  const wallet = await office.wallet('free');
  await inForce('createWallet');
  const { id } = await policy(asking('Wallets:Sign', office, { walletId: { in: [wallet.id] } }));
  await installation.service.stop('SIGKILL');
  await installation.service.start();
  await inForce('createPolicy');
  expect((await charter()).policies).toContainEqual(expect.objectContaining({ id }));
  const last = `policy_id = '${id}' ORDER BY revision DESC LIMIT 1`;
  await createRows(installation, 'app', office.orgId).copy('policy_versions', last, { revision: 2, status: 'Archived' });
  const sent = await send(office.ada.client, wallet.id);
  expect(await confirmed(wallet, sent)).toMatchObject({ status: 'Failed', reason: expect.stringMatching(/ApprovalMissing/) });
});

test('the signer applies a change of a policy only after the votes that the policy on policy changes requires', async () => {
  const { ada, ben, cyd, decide } = office;
  const { action, ...rest } = asking('Wallets:Sign', office, { walletId: { in: [held.id] } });
  const body = { ...rest, action: { ...action, autoRejectTimeout: 600 } };
  const asked = await ada.client.change('PUT', `/v2/policies/${heldPolicy.id}`, body);
  expect(asked.status).toBe(202);
  const { approvalId }: { readonly approvalId: string } = asked.body;
  expect((await charter()).policies).toContainEqual(expect.objectContaining({ id: heldPolicy.id, version: 1 }));
  for (const one of [ben, cyd]) ok(await decide(one, approvalId));
  await inForce('updatePolicy');
  const sent = await send(ada.client, held.id);
  for (const one of [ben, cyd]) ok(await decide(one, sent.approvalId));
  expect(await confirmed(held, sent)).toMatchObject({ status: 'Confirmed' });
  expect((await charter()).policies).toContainEqual(expect.objectContaining({ id: heldPolicy.id, version: 2 }));
});

test('a forged amendment changes nothing and is refused', async () => {
  const before = await charter();
  const rows = createRows(installation, 'app', office.orgId);
  const [action] = await rows.run(
    `SELECT id FROM user_actions WHERE path LIKE '/wallets/%/transfers' AND date_consumed IS NOT NULL LIMIT 1`,
  );
  const forged = newId('amendment');
  await rows.run(
    `INSERT INTO amendments (org_id, id, kind, user_action_id, given, status) VALUES ($1, $2, 'archivePolicy', $3, '{}', 'Waiting')`,
    [office.orgId, forged, action?.['id'] ?? ''],
  );
  const routing = { workflow: AMENDMENTS_WORKFLOW, signal: AMENDMENT_RECORDED, again: 'true' };
  await rows.dispatch('start', amendmentsOf(office.orgId), routing);
  expect(await amended('archivePolicy')).toMatchObject({ id: forged, status: 'Refused' });
  const { charter: after, refused } = await authority();
  expect(after?.digest).toBe(before.digest);
  expect(refused[0]).toMatchObject({ id: forged });
});

test('the signer rejects the vote of a deactivated user, even if rows show the user as active', async () => {
  const { orgId, ada, ben, cyd, decide } = office;
  const sent = await send(ada.client, held.id);
  ok(await ada.client.change('PUT', `/auth/users/${ben.userId}/deactivate`, {}));
  await inForce('deactivateUser');
  expect((await charter()).members.filter(({ userId }) => userId === ben.userId)).toEqual([]);
  await installation.asOwnerOfAll('UPDATE users SET is_active = true WHERE org_id = $1 AND id = $2', [orgId, ben.userId]);
  const token = await installation.signIn(orgId, ben.username, ben.key);
  const client = new Client(installation.baseUrl, { ...ben.client.identity, token });
  for (const one of [{ ...ben, client }, cyd]) ok(await decide(one, sent.approvalId));
  expect(await confirmed(held, sent)).toMatchObject({ status: 'Failed', reason: expect.stringMatching(/VotesMissing/) });
});

test('a restriction removes a member at the signer without the service, and the signer rejects the member’s later vote', async () => {
  const { orgId, ada, ben, cyd, wallet, decide } = await installation.createOffice('november');
  const guarded = await wallet();
  await chartering.charter(orgId, { membersAmend: true });
  const sent = await send(ada.client, guarded.id);
  expect((await chartering.restricted(ada, cyd.userId)).join('\n')).toContain('ADOPTED the restriction');
  // The service still regards Cyd as a member.
  for (const one of [ben, cyd]) ok(await decide(one, sent.approvalId));
  expect(await ended(ada.client, guarded.id, sent.id)).toMatchObject({
    status: 'Failed',
    reason: expect.stringMatching(/VotesMissing/),
  });
  await waitUntil('the service to know the charter', async () => {
    const { charter: known } = ok(await ada.client.get('/organizations/authority')) as Authority;
    return known?.sequence === 2 && known.members.every(({ userId }) => userId !== cyd.userId);
  });
});

test('if voters must see what they sign, a blind vote is refused at once; if rows hide the requirement, the signer rejects the vote', async () => {
  const { orgId, ada, ben, cyd, wallet, decide } = await installation.createOffice('mike');
  const guarded = await wallet();
  await chartering.charter(orgId, { seen: 'createApprovalDecision' });
  await waitUntil('the service to know the charter', async () => {
    const { charter: known } = ok(await ada.client.get('/organizations/authority')) as {
      charter: { seen: object | null } | null;
    };
    return known?.seen;
  });
  const isSeen = { origin: VERIFIER_ORIGIN, shownSha256: 'ab'.repeat(32) };
  const decideSeen = (by: Person, approvalId: string | undefined) =>
    by.client.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value: 'Approved' }, isSeen);
  const first = await send(ada.client, guarded.id);
  expect(await decide(ben, first.approvalId)).toMatchObject({ status: 403, body: { error: { id: 'UserActionNotSeen' } } });
  for (const one of [ben, cyd]) ok(await decideSeen(one, first.approvalId));
  expect(await ended(ada.client, guarded.id, first.id)).toMatchObject({ status: 'Confirmed' });

  await installation.asOwnerOfAll(`UPDATE charters SET text = replace(text, '"seen"', '"hidden"') WHERE org_id = $1`, [orgId]);
  const second = await send(ada.client, guarded.id);
  ok(await decideSeen(ben, second.approvalId));
  ok(await decide(cyd, second.approvalId));
  expect(await ended(ada.client, guarded.id, second.id)).toMatchObject({
    status: 'Failed',
    reason: expect.stringMatching(/VotesMissing/),
  });
});

test('under a charter, a key is exported after two people have voted for exactly this export', async () => {
  const { orgId, ada, ben, cyd, wallet, decide } = await installation.createOffice('oscar');
  const { keyId } = await wallet('free');
  ok(await ada.client.change('POST', '/v2/policies', asking('Keys:Export', { ben, cyd })));
  await installation.asOwnerOfAll(`UPDATE organizations SET settings = settings || '{"keyExport":true}' WHERE id = $1`, [orgId]);
  await chartering.charter(orgId, { exports: '0' });
  await waitUntil('the service to know the charter', async () => {
    const { charter: known } = ok(await ada.client.get('/organizations/authority')) as Authority;
    return known !== null;
  });
  const recipient = await createRecipient();
  const exported = () =>
    ada.client.change('POST', `/keys/${keyId}/export`, {
      encryptionKey: recipient.encryptionKey,
      supportedSchemes: [{ protocol: 'Software', curve: 'secp256k1' }],
    });
  const first = await exported();
  expect(first.status).toBe(202);
  const { id, approvalId } = first.body as { readonly id: string; readonly approvalId: string };
  ok(await decide(ben, approvalId));
  ok(await decide(cyd, approvalId));
  await waitUntil('the approval of the export', async () => {
    const [row] = await installation.asOwnerOfAll('SELECT status FROM change_requests WHERE id = $1', [id]);
    return row?.['status'] === 'Applied';
  });
  const answer = await exported();
  expect(answer.status).toBe(200);
  const secret = await recipient.open(orgId, answer.body as KeyExportBody);
  expect(secret).toHaveLength(32);
});
