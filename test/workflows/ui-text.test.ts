import { holdDetails, momentInWords } from '../../workflows/ui-text';

const DEADLINE = Date.UTC(2031, 1, 3, 4, 5, 59);

test('each group is shown by its name or its number, with the number of missing people', () => {
  const groups = [
    { name: 'Finance', quorum: 2, have: 1 },
    { name: null, quorum: 3, have: 0 },
  ];
  expect(holdDetails(groups, undefined)).toBe(
    'Held by policy: waiting for 1 of 2 in group **Finance**; waiting for 3 of 3 in group 2. It never expires.',
  );
});

test('a group with its quorum, or more, has approved', () => {
  expect(holdDetails([{ name: 'Finance', quorum: 2, have: 2 }], undefined)).toContain('group **Finance** has approved');
  expect(holdDetails([{ name: null, quorum: 1, have: 4 }], undefined)).toContain('group 1 has approved');
});

test('the deadline is shown to the minute and in UTC', () => {
  expect(momentInWords(DEADLINE)).toBe('2031-02-03 04:05 UTC');
  expect(holdDetails([], DEADLINE)).toContain('It is rejected automatically at 2031-02-03 04:05 UTC.');
});
