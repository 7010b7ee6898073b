import { createHash } from 'node:crypto';
import { createAsking, type Wish } from './asking';
import { type Office, openOffice } from './office';

const NEVER_HELD = 'plc-01234-56789-abcdefghijklmnop';

let office: Office;
let asking: ReturnType<typeof createAsking>;
/** The ids of policies on signing. A change of `guarded` or `cold` needs an approval. */
const ids = { free: '', guarded: '', hot: '', cold: '' };
beforeAll(async () => {
  office = await openOffice();
  asking = createAsking(office);
  const { wallet } = office;
  ids.free = await policy(holding({ walletId: { in: [wallet.id] } }));
  ids.guarded = await policy(holding({ walletId: { in: [wallet.id] } }));
  ids.hot = await policy(holding({ walletTags: { hasAny: ['hot'] } }));
  ids.cold = await policy(holding({ walletTags: { hasAll: ['cold'] } }));
  await policy({ ...holding({ policyId: { in: [ids.guarded, ids.cold] } }), name: 'Guard', activityKind: 'Policies:Modify' });
  const tagged = await office.admin.client.change('PUT', `/wallets/${wallet.id}/tags`, { tags: ['old'] });
  expect(tagged.status).toBeLessThan(300);
  office.trusted(await office.draft({ membersAmend: true }));
});
afterAll(() => office?.close());

const holding = (filters: object) => ({
  ...{ name: 'Hold', activityKind: 'Wallets:Sign', rule: { kind: 'AlwaysTrigger' }, filters },
  action: { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: { userId: { in: [office.approver.userId] } } }] },
});
async function policy(body: object): Promise<string> {
  const answer = await office.admin.client.change('POST', '/v2/policies', body);
  expect(answer.status).toBe(200);
  return (answer.body as { readonly id: string }).id;
}
const seen = async (wish: Wish) => (await asking.signing(wish)).shown;
const update = (id: string, changes: object = {}) =>
  asking.wish('PUT', `/v2/policies/${id}`, { ...holding({ walletId: { in: [office.wallet.id] } }), ...changes });
const tags = (method: 'PUT' | 'DELETE', list: readonly string[], walletId = office.wallet.id) =>
  asking.wish(method, `/wallets/${walletId}/tags`, { tags: list });

test('a new wallet is shown with its network and tags, and confirmed with the last characters of its body’s digest', async () => {
  const metadata = { team: 'pay\u202eroll' };
  const wish = asking.wish('POST', '/wallets', { network: 'EthereumSepolia', name: 'Pay\u202eroll', tags: ['hot'], metadata });
  const digest = createHash('sha256').update(wish.body).digest('hex');
  const { shown, to } = await asking.signing(wish, { typed: digest.slice(-6) });
  expect(shown).toContain('Network       EthereumSepolia (a test network)');
  expect(shown).toContain('Name          "Pay\\u{202e}roll"');
  expect(shown).toContain('Tags          "hot"');
  expect(shown).toContain('Metadata      "team": "pay\\u{202e}roll"');
  expect((await asking.sent(wish, to)).status).toBe(200);
  expect(await asking.refused(wish, { typed: '000000' })).toContain('Nothing was signed');
  expect(await asking.refused(asking.wish('POST', '/wallets', { network: 'Nowhere' }))).toContain('does not know the network');
  const imported = { network: 'EthereumSepolia', signingKey: { id: 'key-1' } };
  expect(await asking.refused(asking.wish('POST', '/wallets', imported))).toContain('a wallet with a new key');
});

test('a key that may create wallets but not tag them cannot give tags to a new wallet', async () => {
  const charter = await office.draft({ membersAmend: true });
  const home = `${office.folder}/home-without-tags`;
  const members = charter.members.map((member) => ({
    ...member,
    credentials: member.credentials.map((one) => ({ ...one, operations: ['createWallet' as const] })),
  }));
  office.trusted({ ...charter, members }, home);
  const wish = (list: readonly string[]) => asking.wish('POST', '/wallets', { network: 'EthereumSepolia', tags: list });
  expect(await asking.refused(wish(['hot']), { home })).toContain('does not let this key give tags');
  expect((await asking.signing(wish([]), { home })).shown).toContain('Tags          none');
  expect(await asking.refused(tags('PUT', ['hot']), { home })).toContain('does not let this key call tagWallet');
});

test('the tags before and after the change are shown, with the policies that then apply to other wallets', async () => {
  const added = await seen(tags('PUT', ['hot', 'old']));
  expect(added).toContain('Tags          "old"');
  expect(added).toContain('Adds          "hot"');
  expect(added).toContain('Tags then     "hot", "old"');
  expect(added).toMatch(new RegExp(`Changes {7}what the policy ${ids.hot} "Hold" applies to`));
  const removed = await seen(tags('DELETE', ['old', 'hot']));
  expect(removed).toContain('Removes       "old"');
  expect(removed).toContain('Tags then     none');
  expect(removed).not.toContain('what the policy');
  expect(await seen(tags('PUT', ['old']))).toContain('Adds          nothing');
  expect(await asking.refused(tags('PUT', ['cold']))).toContain('cannot wait for approval');
  expect(await asking.refused(tags('PUT', ['hot'], 'wa-other'))).toContain('charter that you trust does not have');
  expect(await asking.refused(asking.wish('PUT', `/wallets/${office.wallet.id}/tags`, { tags: 'hot' }))).toContain(
    'tags of a wallet',
  );
});

test('a new policy is shown in plain language, with a mark at people who are not in the charter', async () => {
  const approvers = { userId: { in: ['us-unknown'] } };
  const action = { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers, name: 'O\u001bps' }] };
  const wish = asking.wish('POST', '/v2/policies', { ...holding({ walletTags: { hasAny: ['hot'] } }), action, mode: 'Shadow' });
  const challenge = await asking.announced(wish);
  const shown = (await asking.signing(wish, { challenge })).shown;
  expect(shown).toContain('Asks for      a NEW POLICY');
  expect(shown).toContain('SHADOW: holds and blocks nothing');
  expect(shown).toContain('for wallets with any of the tags "hot"');
  expect(shown).toContain('1 of us-unknown (NOT IN THE CHARTER); group O\\u{1b}ps');
  const other = asking.wish('POST', '/v2/policies', { name: 'x', activityKind: 'Permissions:Modify' });
  expect((await asking.signing(other)).shown).toContain('no charter judges');
  const unknown = asking.wish('POST', '/v2/policies', { ...holding({}), rule: { kind: 'Never' } });
  expect(await asking.refused(unknown)).toContain('does not ask for a policy');
});

test('new content of a policy is shown together with the content in the charter, and with the policy that guards the change', async () => {
  const wish = update(ids.guarded, { name: 'Looser', action: { kind: 'Block' } });
  const { shown, to } = await asking.signing(wish, { typed: ids.guarded.slice(-6) });
  const [, now = '', then = ''] = /\nNow {11}(.*)\nThen {10}(.*)\nThen waits/s.exec(shown) ?? [];
  expect(now).toContain(`${ids.guarded} "Hold"\n    version 1`);
  expect(now).toContain(`1 of ${office.approver.userId}`);
  expect(then).toContain('"Looser"');
  expect(then).toContain('then blocks');
  expect(shown).toMatch(/Then waits {4}for approval, by the policy \S+ "Guard"/);
  expect(await asking.sent(wish, to)).toMatchObject({ status: 202, body: { kind: 'Policy', status: 'Pending' } });
  expect(await seen(update(ids.free))).not.toContain('Then waits');
  expect(await asking.refused(update(NEVER_HELD))).toContain('charter that you trust does not have');
});

test('archiving a policy is shown with the content of the policy in the charter', async () => {
  const wish = asking.wish('DELETE', `/v2/policies/${ids.free}`, '{}');
  expect(await seen(wish)).toMatch(new RegExp(`the END of a policy.*\nNow {11}${ids.free} "Hold"`, 's'));
  expect(await asking.refused({ ...wish, path: `/v2/policies/${NEVER_HELD}` })).toContain('does not have');
});

test.each([
  ['deactivation', 'PUT', '/deactivate'],
  ['archival', 'DELETE', ''],
])('the %s of a user is shown with the policies in which the user is a voter', async (_what, method, place) => {
  const { approver } = office;
  const shown = await seen(asking.wish(method, `/auth/users/${approver.userId}${place}`));
  expect(shown).toContain(`User          ${approver.userId}\n`);
  expect(shown).toContain(`1 of 1 in the policy ${ids.free} "Hold": 0 voters would be left. Its quorum CAN NO LONGER BE REACHED`);
  expect(shown).toMatch(/1 of 2 in the policy \S+ "Hold everything": 1 voters would be left\n/);
  expect(shown).toContain('Body          none');
  expect(await seen(asking.wish(method, `/auth/users/us-unknown${place}`))).toContain('DOES NOT NAME');
});

test('the removal of a service account is not shown as the removal of a person', async () => {
  const { approver } = office;
  const shown = await seen(asking.wish('PUT', `/auth/service-accounts/${approver.userId}/deactivate`));
  expect(shown).toContain('the REMOVAL of a service account');
  expect(shown).toContain('DOES NOT NAME');
  expect(shown).not.toContain('in the policy');
});

test('for the release of a freeze, the program warns that the charter does not contain the freeze', async () => {
  const shown = await seen(asking.wish('DELETE', '/freezes/frz-01234-56789-abcdefghijklmnop', '{}'));
  expect(shown).toContain('the RELEASE of a freeze');
  expect(shown).toContain('Only the service says what this freeze covers');
});

describe('a request for a secret of a key', () => {
  const encryptionKey = Buffer.alloc(32, 9).toString('base64');
  const body = { encryptionKey, supportedSchemes: [{ protocol: 'Software', curve: 'secp256k1' }] };

  test('is shown with the recipient, the approval and the wait, if the charter permits exports', async () => {
    await policy({ ...holding({}), filters: undefined, name: 'Keys stay', activityKind: 'Keys:Export' });
    const home = `${office.folder}/home-with-exports`;
    office.trusted(await office.draft({ waitHours: 24 }), home);
    const { wallet } = office;
    for (const path of [`/keys/${wallet.signingKey.id}/export`, `/wallets/${wallet.id}/export`]) {
      const wish = asking.wish('POST', path, body);
      const { shown } = await asking.signing(wish, { home });
      expect(shown).toContain('the EXPORT of a key');
      expect(shown).toContain(`Of wallet     ${wallet.id}`);
      expect(shown).toContain(`Encrypted to  ${encryptionKey}`);
      expect(shown).toMatch(/Needs.*plc-/);
      expect(shown).toContain('24 hours after the last vote');
      expect(await asking.refused(wish)).toContain('does not let this key call');
    }
    const other = asking.wish('POST', `/keys/${wallet.signingKey.id}/export`, { ...body, more: 1 });
    expect(await asking.refused(other, { home })).toContain('does not ask for the export of a key');
  });

  test('is shown with the domain and the seed of a shared secret', async () => {
    const { shown } = await asking.signing(
      asking.wish('POST', `/keys/${office.wallet.signingKey.id}/derive`, { domain: '0xab', seed: 'cd' }),
    );
    expect(shown).toContain('a SHARED SECRET');
    expect(shown).toContain('Seed          cd');
  });
});
