import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type UnderCharter, underCharterOf } from '../domain/under-charter';
import type { Operation } from './http/operation';

const KINDS = { CustomerEmployee: 'employee', EndUser: 'end user', ServiceAccount: 'service account' } as const;

const STANDINGS: Readonly<Record<UnderCharter, readonly [word: string, meaning: string]>> = {
  Judged: ['judged', 'the signer judges the resulting orders, by the signatures of people or by the effect of the orders'],
  Amends: ['amends', 'the signed action changes the charter, if the charter lets the member do so'],
  Restricts: ['restricts', 'the signer signs fewer requests from then on'],
  NextCharter: ['next charter', "the signer takes the change into account only once the operator's next charter contains it"],
  Nothing: ['–', 'the change does not affect the signer'],
};

const HEAD = `# Who may call what

Written by \`npm run fix\` from the list of operations; do not edit. A *user action* is the signature that a change needs. "PAT: no" means
that a personal access token is refused, regardless of its user's permissions. Tests also call every operation without access: without a
token, with an expired token, from another organisation, as each other kind of caller, without the permission, without a user action, with
a used user action, and with a user action for another request (\`test/matrix\`).

*Under a charter* is what a change means for the signer of an organisation with a [charter](operations.md#charters):

${Object.values(STANDINGS)
  .map(([word, meaning]) => `* *${word}*: ${meaning}.`)
  .join('\n')}

| Operation | | Callers | Permission | User action | Under a charter | Test |
|---|---|---|---|---|---|---|
`;

/** The table as Markdown. The tests of the operations are looked up in the repository at `root`. */
export function interfaceTable(operations: readonly Operation[], root: string): string {
  const folder = join(root, 'test', 'api');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.test.ts'));
  const tests = paths.sort().map((path) => ({ path, stem: path.replace(/^.*\/|\.test\.ts$/g, ''), file: join(folder, path) }));
  const texts = new Map(tests.map(({ path, file }) => [path, readFileSync(file, 'utf8')]));
  /** The operation's own test file, or a file that tests several operations by `describe.each`. */
  const testOf = ({ id }: Operation) => {
    const own = id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const shares = (path: string) =>
      /^describe\.each\(/m.test(texts.get(path) ?? '') && texts.get(path)?.includes(`{ id: '${id}'`);
    return tests.find(({ stem }) => stem === own) ?? tests.find(({ path }) => shares(path));
  };
  const lines = operations.map((operation) => lineOf(operation, testOf(operation)));
  return `${HEAD}${lines.join('\n')}\n`;
}

function lineOf(operation: Operation, test: { readonly path: string; readonly stem: string } | undefined): string {
  const { method, path, permission, furtherPermissionNames = [], userAction } = operation;
  const permissions = [permission ?? 'none', ...furtherPermissionNames.map((name) => `${name} (by its body)`)].join(', ');
  const cells = [
    operation.id,
    `\`${method.toUpperCase()} ${path}\``,
    callersOf(operation),
    permissions,
    userAction ? 'yes' : 'no',
    STANDINGS[underCharterOf(operation.id)][0],
    test === undefined ? '' : `[${test.stem}](../test/api/${test.path})`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function callersOf(operation: Operation): string {
  if (operation.access === 'Public') return 'anybody';
  if (operation.access === 'Temporary') return 'temporary token';
  const kinds = operation.callers.map((kind) => KINDS[kind]).join(', ');
  return operation.refusesPersonalTokens ? `${kinds}; PAT: no` : kinds;
}
