import { mailWords } from '../../../application/mails/mail-words';

const SETTING = { orgId: 'or-1', orgName: 'Acme', to: 'anna+1@example.com', pageUrl: 'https://strongroom.example/sign-in' };
const code = { code: 'ABC-123-DEF', dateExpires: '2026-11-22T12:00:00.000Z' };
const approval = { approvalId: 'ap-1', what: 'a transfer', initiator: 'Ben', rejectsItselfAt: null };

test.each([
  ['RegistrationCode', 'register'],
  ['RecoveryCode', 'recover'],
] as const)('the link in %s fills in organisation and address, and never the code', (template, view) => {
  const { text } = mailWords({ template, data: code }, SETTING);
  expect(text).toContain(`Enter it at https://strongroom.example/sign-in#${view}/or-1/anna%2B1%40example.com\n`);
  expect(text).not.toMatch(/https:\S*ABC-123-DEF/);
});

test.each(['ApprovalRequested', 'ApprovalReminder', 'ApprovalEscalated'] as const)(
  'the link in %s leads to the approval',
  (template) => {
    const { text } = mailWords({ template, data: approval }, SETTING);
    expect(text).toContain('at https://strongroom.example/sign-in#approval/ap-1\n');
  },
);

const due = { groupId: 'fg-1', storeId: 'ks-1', storeName: 'Vault one', dateExpires: '2026-11-22T12:00:00.000Z' } as const;

test('a mail on a group of fleet operations names store, wait and end, and its link only shows the group', () => {
  const data = { ...due, kind: 'KeyHarvest', waitsFor: 'Output' } as const;
  const { subject, text } = mailWords({ template: 'FleetGroupDue', data }, SETTING);
  expect(subject).toBe('The key harvest of Vault one is canceled at 2026-11-22 12:00 UTC without an outcome');
  expect(text).toContain('of the key store Vault one in Acme waits for the output of a device.\n');
  expect(text.match(/https:\S+/g)).toEqual(['https://strongroom.example/sign-in#group/ks-1/fg-1']);
});

test('only the mail to a reviewer asks for a review', () => {
  const data = { ...due, kind: 'Genesis', waitsFor: 'Review' } as const;
  expect(mailWords({ template: 'FleetReviewDue', data }, SETTING).text).toContain(
    'approve or reject the output, after logging in',
  );
  expect(mailWords({ template: 'FleetGroupDue', data }, SETTING).text).not.toMatch(/approve|fingerprint/);
});

test('without a configured page, a mail has no link', () => {
  const setting = { ...SETTING, pageUrl: undefined };
  for (const mail of [
    { template: 'RegistrationCode', data: code },
    { template: 'RecoveryCode', data: code },
    { template: 'ApprovalRequested', data: approval },
    { template: 'FleetReviewDue', data: { ...due, kind: 'Clone', waitsFor: 'Review' } },
  ] as const) {
    expect(mailWords(mail, setting).text).not.toMatch(/https:|#|undefined/);
  }
});
