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

test('without a configured page, a mail has no link', () => {
  const setting = { ...SETTING, pageUrl: undefined };
  for (const mail of [
    { template: 'RegistrationCode', data: code },
    { template: 'RecoveryCode', data: code },
    { template: 'ApprovalRequested', data: approval },
  ] as const) {
    expect(mailWords(mail, setting).text).not.toMatch(/https:|#|undefined/);
  }
});
