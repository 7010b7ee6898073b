import { readFileSync } from 'node:fs';
import { ACTIVITY_KINDS } from '../../domain/policies';

test('the table in docs/policies.md lists exactly the existing activities', () => {
  const [, table = ''] = /\n## Activities\n([^#]+)/.exec(readFileSync('docs/policies.md', 'utf8')) ?? [];
  const named = table
    .split('\n')
    .flatMap((line) => (line.startsWith('| `') ? ((line.split('|')[1] ?? '').match(/\w+:[\w:]+/g) ?? []) : []));
  expect(named).toEqual(ACTIVITY_KINDS);
});
