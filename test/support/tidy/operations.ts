import { pathsOf, type Rule, type Tree, textOf } from './tree';

type Declared = { readonly path: string; readonly name: string; readonly id: string; readonly route: string };

const DECLARATION = /export const (\w+) = (?:operation|publicOperation|temporaryOperation)\(\{/g;
const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const member = (text: string, name: string) => new RegExp(`^  ${name}: '([^']+)'`, 'm').exec(text)?.[1] ?? '';

/** The operations as their files declare them. A route omits the names of its parameters. */
export function declaredOperations(tree: Tree): Declared[] {
  return pathsOf(tree, /^api\/.*\.ts$/).flatMap((path) => {
    const text = textOf(tree, path);
    const route = `${member(text, 'method')} ${member(text, 'path')
      .replace(/^\/v2\//, '/')
      .replaceAll(/:\w+/g, ':')}`;
    return [...text.matchAll(DECLARATION)].map(([, name = '']) => ({ path, name, id: member(text, 'id'), route }));
  });
}

function repeated(operations: readonly Declared[], key: (operation: Declared) => string): string[] {
  return operations
    .filter((one) => operations.some((other) => other !== one && key(other) === key(one)))
    .map((one) => `${one.path}: ${key(one)} is declared twice`);
}

const mirrorOf = ({ path }: Declared) => `test/${path.replace(/\.ts$/, '.test.ts')}`;

/** The rows of a `describe.each` with titles that begin with the id of the operation. */
const PER_OPERATION = /^describe\.each\(\[\n([\s\S]*?)^\](?: as const)?\)\('\$id'/gm;

/** Operations that differ only in form can share one test file, in the folder of the operations or above it. */
function sharedTestOf(tree: Tree, operation: Declared): string | undefined {
  return pathsOf(tree, /^test\/api\/.*\.test\.ts$/).find(
    (path) =>
      mirrorOf(operation).startsWith(path.replace(/[^/]+$/, '')) &&
      [...textOf(tree, path).matchAll(PER_OPERATION)].some(([, rows = '']) => rows.includes(`id: '${operation.id}'`)),
  );
}

export const operationRules: readonly Rule[] = [
  {
    title: 'an operation is one value in the file that carries its name',
    check: (tree) => {
      const operations = declaredOperations(tree);
      return [
        ...operations
          .filter(({ path, name, id }) => name !== id || !path.endsWith(`/${kebab(id)}.ts`))
          .map(({ path, name, id }) => `${path}: exports ${name} with the id ${id} → file, export and id are one name`),
        ...repeated(operations, ({ path }) => path),
      ];
    },
  },
  {
    title: 'operation ids are unique',
    check: (tree) => repeated(declaredOperations(tree), ({ id }) => id),
  },
  {
    title: 'pairs of method and path are unique, with and without /v2 and whatever the parameters are called',
    check: (tree) => repeated(declaredOperations(tree), ({ route }) => route),
  },
  {
    title: 'the index of its folder lists an operation',
    check: (tree) =>
      declaredOperations(tree)
        .filter(({ path, name }) => !new RegExp(`\\b${name}\\b`).test(textOf(tree, path.replace(/[^/]+$/, 'index.ts'))))
        .map(({ path, name }) => `${path}: ${name} is in no index → add it to index.ts`),
  },
  {
    title: 'every operation has a test at the mirrored path or in a describe.each above it, and its titles begin with the status',
    check: (tree) =>
      declaredOperations(tree).flatMap((operation) => {
        const mirror = mirrorOf(operation);
        const file = tree.has(mirror) ? mirror : sharedTestOf(tree, operation);
        if (file === undefined) return [`${operation.path}: untested → write ${mirror}`];
        const titles = [...textOf(tree, file).matchAll(/^\s*test(?:\.each\([^)]*\))?\(\s*['"`]([^'"`]*)/gm)];
        return titles
          .filter(([, title = '']) => !/^(\d{3}|%[sip]|\$)/.test(title))
          .map(([, title]) => `${file}: "${title}" → "200: …"`);
      }),
  },
];
