import { DIFFERENCES } from './differences';
import { type Described, document, jsonOf } from './document';
import { type FactOperation, facts } from './facts';
import { OPEN_OPERATIONS, promised } from './open-operations';
import { OWN_OPERATIONS } from './own-operations';
import { LATER_PERMISSIONS, UNSTATED_PERMISSIONS } from './permission-differences';
import { resolve, type Schema } from './schema';
import { differencesOf, shapeOf } from './shape';

const ours = ({ path, method }: FactOperation): Described => {
  const described = document.paths[path]?.[method];
  if (!described) throw new Error(`${method} ${path} is missing`);
  return described;
};

/** A query parameter is text on the wire. So a number in one document equals a string of digits in the other. */
const asText = (query: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(query).map(([name, schema]) => [
      name,
      schema.type === 'integer' || schema.type === 'number' ? { type: 'string' } : schema,
    ]),
  ),
});

function linesOf(fact: FactOperation): readonly string[] {
  const { parameters, requestBody, responses } = ours(fact);
  const query = Object.fromEntries(parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema]));
  const queries = differencesOf('request', shapeOf(facts, asText(fact.query)), shapeOf(document, asText(query)));
  const sent = jsonOf(requestBody?.content);
  const bodies = fact.body ? differencesOf('request', shapeOf(facts, fact.body), shapeOf(document, sent ?? {})) : [];
  const answer = jsonOf(responses[200]?.content) ?? {};
  const answers = differencesOf('answer', shapeOf(facts, fact.answer), shapeOf(document, answer));
  const { 'x-callers': callers } = ours(fact);
  return [
    ...callers.filter((kind) => !fact.callers.includes(kind)).map((kind) => `callers add ${kind}`),
    ...fact.callers.filter((kind) => !callers.includes(kind)).map((kind) => `callers lack ${kind}`),
    ...queries.map((line) => `query${line}`),
    ...bodies.map((line) => `body${line}`),
    ...answers.map((line) => `answer${line.replace(/^\.items\[\]/, '')}`),
  ];
}

test('the document contains exactly the promised operations of the published client and our own operations', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
  );
  const published = promised.map(({ id, method, path }) => `${id} ${method} ${path}`);
  const own = OWN_OPERATIONS.flatMap(({ operations }) => operations);
  expect(described.sort()).toEqual([...published, ...own].sort());
});

test('each operation of the published client is either served or listed as open', () => {
  const served = new Set(
    Object.values(document.paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId)),
  );
  const published = facts.operations.map(({ id }) => id);
  const open = Object.values(OPEN_OPERATIONS).flat();
  expect(open.filter((id) => served.has(id))).toEqual([]);
  expect([...published.filter((id) => served.has(id)), ...open].sort()).toEqual(published.sort());
});

test.each(promised)('$id demands the same permissions and signature as the published client', (fact) => {
  const described = ours(fact);
  expect(described['x-user-action'] ?? false).toBe(fact.userAction);
  const always = fact.permissions.filter((name) => !name.includes(' '));
  expect([described['x-permission']].filter((name) => name !== undefined)).toEqual(
    [always[0] ?? UNSTATED_PERMISSIONS[fact.id]].filter((name) => name !== undefined),
  );
  // A condition on a member that the body does not have yet can never be met.
  const members = [...shapeOf(document, jsonOf(described.requestBody?.content) ?? {}).keys()];
  const conditional = fact.permissions
    .map((entry) => entry.split(' if:'))
    .filter(
      ([, condition]) => condition === 'new-key-created' || members.some((path) => path.replace(/<\w+>/, '') === `.${condition}`),
    )
    .map(([name]) => name);
  const later = LATER_PERMISSIONS[fact.id] ?? [];
  expect([...(described['x-further-permissions'] ?? [])].sort()).toEqual([...always.slice(1), ...conditional, ...later].sort());
});

test('callers, requests and answers differ from the published client exactly as the table of differences lists', () => {
  const found = new Map<string, string[]>();
  for (const fact of promised) {
    for (const line of new Set(linesOf(fact))) found.set(line, [...(found.get(line) ?? []), fact.id]);
  }
  const table = DIFFERENCES.flatMap(({ operations: ids, lines }) => lines.map((line) => `${line} · ${ids}`));
  expect([...found].map(([line, ids]) => `${line} · ${ids.sort().join(' ')}`).sort()).toEqual(table.sort());
});

test('no named schema is empty', () => {
  const { schemas } = document.components;
  expect(Object.keys(schemas).length).toBeGreaterThan(10);
  for (const name of Object.keys(schemas)) expect(resolve(document, { $ref: `#/components/schemas/${name}` })).not.toEqual({});
});
