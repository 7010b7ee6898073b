import type { CharterOperation } from '../../domain/charters';
import type { Charter } from '../../signer/charters/charter';
import { evidence } from '../../verify/evidence';
import { type Office, openOffice, refusal } from './office';

type One = Readonly<Record<string, unknown>> & { readonly kind: string };
type File = { readonly content: object; readonly evidence: readonly One[] };

let office: Office;
let charter: string;
let drafted: Charter;
let file: File;
beforeAll(async () => {
  office = await openOffice();
  drafted = await office.draft();
  office.trusted(drafted);
  charter = office.signed(drafted);
  const { transferId, approvalId } = await office.held();
  const path = `/v2/policy-approvals/${approvalId}/decisions`;
  const voted = await office.approver.client.change('POST', path, { value: 'Approved' });
  if (voted.status !== 200) throw new Error(`createApprovalDecision answered ${voted.status}`);
  const { body } = await office.admin.client.get(`/wallets/${office.wallet.id}/transfers/${transferId}/evidence`);
  file = body;
});
afterAll(() => office?.close());

const reading = (content: unknown, path = charter) =>
  evidence({ home: office.home, file: office.put(content), charter: path }, new Date()).join('\n');
/** The file with a changed part of this kind. */
const changed = (kind: string, change: (part: One) => object) => ({
  ...file,
  evidence: file.evidence.map((part) => (part.kind === kind ? change(part) : part)),
});

test('evidence proves who requested and who approved', () => {
  const text = reading(file);
  expect(text).toContain(`Asked by      ${office.admin.userId}`);
  expect(text).toContain(`Approved by   ${office.approver.userId}`);
  expect(text).toContain('VERIFIED');
});

test('an altered amount, an altered request, a forged vote and a missing vote are reported', async () => {
  const content = { ...file.content, amountUnits: '1' };
  expect(await refusal(() => reading({ ...file, content }))).toContain('The content was ALTERED');
  expect(await refusal(() => reading(changed('Initiator', (part) => ({ ...part, body: '{}' }))))).toContain(
    'The text of the request',
  );
  const forged = Buffer.alloc(64, 1).toString('base64url');
  const text = await refusal(() => reading(changed('Approver', (part) => ({ ...part, signature: forged }))));
  expect(text).toContain(`of ${office.approver.userId} does not count: its signature is FORGED`);
  const others = { ...file, evidence: file.evidence.filter(({ kind }) => kind !== 'Approver') };
  expect(await refusal(() => reading(others))).toContain('not enough members of the charter');
  const fee = { ...file.content, feeCeilingUnits: '1' };
  expect(await refusal(() => reading({ ...file, content: fee }))).toContain(
    'feeCeilingUnits is not the one that people approved',
  );
});

test('evidence without the approval that the charter demands is refused', async () => {
  const bare = { ...file, evidence: file.evidence.filter(({ kind }) => kind === 'Initiator') };
  expect(await refusal(() => reading(bare))).toContain('does not let this pass without an approval');
  const { policies: _none, ...free } = await office.draft();
  const text = reading(bare, office.signed({ ...free, policies: [] }));
  expect(text).toContain('no one: the evidence holds no approval');
});

test('a signature from a different client is rejected for operations that the charter requires to be seen', async () => {
  const demanding = (operation: CharterOperation) =>
    office.signed({ ...drafted, seen: { operations: [operation], origins: [] } });
  expect(await refusal(() => reading(file, demanding('transferAsset')))).toContain(
    `${office.admin.userId} signed the request without seeing it`,
  );
  const text = await refusal(() => reading(file, demanding('createApprovalDecision')));
  expect(text).toContain(`of ${office.approver.userId} was signed unseen, and does not count`);
});

test('erased texts are shown as expired', async () => {
  const without = ({ body: _gone, ...part }: One) => part;
  expect(await refusal(() => reading(changed('Initiator', without)))).toContain('EXPIRED');
  expect(await refusal(() => reading(changed('Approver', without)))).toContain(`of ${office.approver.userId} is EXPIRED`);
});

test('another organisation’s charter is refused, and so is approved content that belongs to another request', async () => {
  const other = { ...(await office.draft()), organizationId: office.stranger.orgId };
  expect(await refusal(() => reading(file, office.signed(other)))).toContain('ANOTHER ORGANISATION');
  expect(await refusal(() => reading({ ...file, transferId: 'xfr-other' }))).toContain('ANOTHER REQUEST');
});
