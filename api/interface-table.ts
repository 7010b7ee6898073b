import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from './http/operation';

const KINDS = { CustomerEmployee: 'employee', EndUser: 'end user', ServiceAccount: 'service account' } as const;

const HEAD = `# Who may call what

Written by \`npm run fix\` from the list of operations; do not edit. A *user action* is the signature that a change needs. "PAT: no" means
that a personal access token is refused, whatever its user may do. Every line is also called by everybody who may not: without a
token, with an expired one, from another organisation, by each other kind of caller, without the permission, without a user action, with a
used one and with one for another request (\`test/matrix\`).

| Operation | | Callers | Permission | User action | Test |
|---|---|---|---|---|---|
`;

/** The table of all operations as Markdown; `root` is the repository, where each operation's test is looked up. */
export function interfaceTable(operations: readonly Operation[], root: string): string {
  const paths = readdirSync(join(root, 'test', 'api'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.test.ts'),
  );
  const tests = new Map(paths.map((path) => [path.replace(/^.*\/|\.test\.ts$/g, ''), `test/api/${path}`]));
  return `${HEAD}${operations.map((operation) => lineOf(operation, tests)).join('\n')}\n`;
}

function lineOf(operation: Operation, tests: ReadonlyMap<string, string>): string {
  const { id, method, path, permission, furtherPermissionNames = [], userAction } = operation;
  const file = id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const permissions = [permission ?? 'none', ...furtherPermissionNames.map((name) => `${name} (by its body)`)].join(', ');
  const test = tests.get(file);
  const cells = [
    id,
    `\`${method.toUpperCase()} ${path}\``,
    callersOf(operation),
    permissions,
    userAction ? 'yes' : 'no',
    test === undefined ? '' : `[${file}](../${test})`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function callersOf(operation: Operation): string {
  if (operation.access === 'Public') return 'anybody';
  if (operation.access === 'Temporary') return 'temporary token';
  const kinds = operation.callers.map((kind) => KINDS[kind]).join(', ');
  return operation.refusesPersonalTokens ? `${kinds}; PAT: no` : kinds;
}
