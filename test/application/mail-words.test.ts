import { wordsOf } from '../../application/mail-words';

const SETTING = { orgId: 'or-1', orgName: 'Acme', to: 'anna+1@example.com', pageUrl: 'https://strongroom.example/sign-in' };
const code = { code: 'ABC-123-DEF', dateExpires: '2026-11-22T12:00:00.000Z' };
const approval = { approvalId: 'ap-1', what: 'a transfer', initiator: 'Ben', rejectsItselfAt: null };

test('an invitation links the registration with organisation and address filled in, and never the code', () => {
  const { text } = wordsOf({ template: 'RegistrationCode', data: code }, SETTING);
  expect(text).toContain('Enter it at https://strongroom.example/sign-in#register/or-1/anna%2B1%40example.com\n');
  expect(text).not.toMatch(/https:\S*ABC-123-DEF/);
});

test.each(['ApprovalRequested', 'ApprovalReminder', 'ApprovalEscalated'] as const)('%s links the approval itself', (template) => {
  const { text } = wordsOf({ template, data: approval }, SETTING);
  expect(text).toContain('at https://strongroom.example/sign-in#approval/ap-1\n');
});

test('without a known page a mail names none', () => {
  const setting = { ...SETTING, pageUrl: undefined };
  for (const mail of [
    { template: 'RegistrationCode', data: code },
    { template: 'ApprovalRequested', data: approval },
  ] as const) {
    expect(wordsOf(mail, setting).text).not.toMatch(/https:|#|undefined/);
  }
});
