// npm run new:operation -- <area> <feature> <operationId> [<path>]: writes an operation with its registration and its test. The
// author changes what the operation reads, returns and requires.
import { camel, generate, kebab } from './tree.mjs';

const USAGE = `Usage: npm run new:operation -- <area> <feature> <operationId> [<path>]
  <area> and <feature> are folders below api/, for example auth users. <path> must contain :userId.`;
const WORD = /^[a-z][a-z-]*[a-z]$/;
const OPERATION_ID = /^[a-z][a-zA-Z]*$/;
const PATH = /^(\/[a-z0-9-]+|\/:userId)+$/;
const TAGS = 'api/http/tags.ts';
const CATALOGUE = 'domain/permission-catalogue.ts';
const CATALOGUE_ROW = /^ {2}\['([\w:]+)'(?:, '([^']*)')?(?:, '([^']*)')?\],$/gm;
const MACHINERY = '\nMachinery\n';

const title = (words) =>
  words
    .split('-')
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join('');

const operationFile = ({ area, id, path, permission }) => `import { z } from 'zod';
import { getUser } from '../../../application/users/users';
import { operation } from '../../http/operation';

export const ${id} = operation({
  id: '${id}',
  method: 'get',
  path: '${path}',
  tag: '${area}',
  summary: 'Read the name of one user',
  description: 'Returns the name of a user of the organisation. Nothing changes.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: '${permission}',
  userAction: false,
  params: z.strictObject({ userId: z.string().min(1).max(64) }),
  query: z.strictObject({}),
  body: z.undefined(),
  response: z.object({ userId: z.string(), name: z.string() }),
  handle: async ({ params, authority }, { db }) => {
    const { userId, name } = await getUser(db.read(authority.caller.orgId), params.userId);
    return { userId, name };
  },
});
`;

const testFile = ({ path, permission }) => `import { newId } from '../../../../platform/ids';
import { startApi, type TestApi } from '../../../support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

const pathOf = (userId: string) => '${path}'.replace(':userId', userId);

test('200: the name of a user of the organisation', async () => {
  const person = await api.createPerson(await api.createOrganization(), { name: 'Ada' });
  const { status, body } = await person.client.get(pathOf(person.userId));
  expect({ status, body }).toEqual({ status: 200, body: { userId: person.userId, name: 'Ada' } });
});

test('403: without ${permission}', async () => {
  const person = await api.createPerson(await api.createOrganization(), { operations: [] });
  expect((await person.client.get(pathOf(person.userId))).status).toBe(403);
});

test('404: an unknown id, and a user of another organisation', async () => {
  const person = await api.createPerson(await api.createOrganization());
  const stranger = await api.createPerson(await api.createOrganization());
  for (const userId of [newId('user'), stranger.userId]) {
    expect((await person.client.get(pathOf(userId))).status).toBe(404);
  }
});
`;

function register(tree, { area, feature, id }) {
  const list = `${camel(feature.replace(/s$/, ''))}Operations`;
  const folder = `api/${area}/${feature}`;
  const index = `${folder}/index.ts`;
  if (tree.has(index)) {
    tree.edit(index, /^(?=import .* from '\.\/|export const)/m, `import { ${id} } from './${kebab(id)}';\n`);
    tree.edit(index, /(Operations[^=]*= \[)([\s\S]*?),?\s*\];/, (_, start, entries) => `${start}${entries}, ${id}];`);
    return;
  }
  const type = "import type { Operation } from '../../http/operation';\n";
  tree.add(index, `${type}import { ${id} } from './${kebab(id)}';\n\nexport const ${list}: readonly Operation[] = [${id}];\n`);
  tree.edit('api/operations.ts', /^(?=import )/m, `import { ${list} } from './${area}/${feature}';\n`);
  tree.edit('api/operations.ts', /(\n\];)/, `\n  ...${list},$1`);
}

/**
 * Adds missing words, because the name of each folder below api/ must be a word of domain/README.md. The author has to explain
 * an added word.
 */
function enterWords(tree, words) {
  const known = tree.read('domain/README.md');
  const missing = words.filter((word) => !known.includes(`\`${word}\``));
  if (missing.length === 0) return;
  const line = `- ${missing.map((word) => `\`${word}\``).join(', ')}: what ${missing.join(' and ')} mean here\n`;
  tree.edit('domain/README.md', MACHINERY, `${line}${MACHINERY}`);
}

/** Adds a missing tag, because each area is a tag in the OpenAPI document. */
function enterTag(tree, area) {
  if (new RegExp(`^  '?${area}'?: `, 'm').test(tree.read(TAGS))) return;
  tree.edit(TAGS, '} as const;', `  '${area}': 'Operations of ${area}.',\n} as const;`);
}

/**
 * Stored lists of permissions may already contain the permission's name, and the new operation must not extend what such a list
 * grants. So the operation belongs only to the next generation of the name.
 */
function enterPermission(tree, { id, permission }) {
  const rows = [...tree.read(CATALOGUE).matchAll(CATALOGUE_ROW)].map(([text, name, grants = '', formerly = '']) => {
    return { text, name, grants, formerly };
  });
  const known = rows.find(({ name }) => name === permission);
  const granted = known ? `${known.grants} ${id}@${nextGeneration(known.grants)}`.trim() : id;
  const row = `  ['${permission}', '${granted}'${known?.formerly ? `, '${known.formerly}'` : ''}],`;
  const next = rows.find(({ name }) => name > permission);
  if (known) tree.edit(CATALOGUE, known.text, row);
  else if (next) tree.edit(CATALOGUE, next.text, `${row}\n${next.text}`);
  else tree.edit(CATALOGUE, /\n\];/, `\n${row}\n];`);
  return [granted, known?.formerly ?? ''];
}

const nextGeneration = (grants) => Math.max(1, ...[...grants.matchAll(/@(\d+)/g)].map(([, one]) => Number(one))) + 1;

await generate(
  USAGE,
  (tree, [area = '', feature = '', id = '', path, ...rest], refuse) => {
    if (!WORD.test(area) || !WORD.test(feature) || !OPERATION_ID.test(id) || rest.length > 0) refuse();
    const place = { area, feature, id, path: path ?? `/${area}/${feature}/:userId/${kebab(id)}` };
    if (!PATH.test(place.path) || !place.path.includes(':userId')) refuse();
    const spec = { ...place, permission: `${title(area)}:${title(feature)}:Read` };
    const stem = `${area}/${feature}/${kebab(id)}`;
    tree.add(`api/${stem}.ts`, operationFile(spec));
    tree.add(`test/api/${stem}.test.ts`, testFile(spec));
    register(tree, spec);
    enterWords(tree, [...new Set([area, feature])]);
    enterTag(tree, area);
    const grants = enterPermission(tree, spec);
    tree.editJson('test/durable-names.json', (names) => {
      names.permissionGrants = { ...names.permissionGrants, [spec.permission]: grants };
      names.operations = sorted({ ...names.operations, [id]: `GET ${spec.path} ${spec.permission}` });
    });
  },
  'Now change what the operation reads, returns and requires. Then run npm run fix, npm run check, and npm test with its test file.',
);

function sorted(entries) {
  return Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));
}
