import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapiOf } from '../../api/http/openapi';
import { templateOf } from '../../api/http/operation';
import { operations } from '../../api/operations';
import { SNAPSHOTS } from '../../api/snapshots';
import { EVENT_KINDS } from '../../domain/events';
import { exampleOf } from '../support/examples';
import { faultsOfAnswer, faultsOfBody, faultsOfDelivery } from './documented';
import { ELSEWHERE } from './elsewhere';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, 'openapi', 'examples');
const BYTES_MAX = 6_144;
const DELIVERIES = join(ROOT, 'openapi', 'deliveries');
const namesIn = (folder: string) => readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
const names = namesIn(FOLDER);
const ids = operations.map(({ id }) => id);

const unmatched = (operationIds: readonly string[], exampleNames: readonly string[]): readonly string[] => [
  ...operationIds.filter((id) => !exampleNames.includes(id)).map((id) => `${id} has no example`),
  ...exampleNames.filter((name) => !operationIds.includes(name)).map((name) => `${name} is not an operation`),
];

test('every operation has an example, and every example belongs to an operation', () => {
  expect(unmatched(ids, names)).toEqual([]);
  const [first = '', ...others] = ids;
  expect(unmatched(ids, [...others, 'createWalet'])).toEqual([`${first} has no example`, 'createWalet is not an operation']);
});

/** The only token that an example may show. */
const TOKEN_SHOWN = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1cy0uLi4ifQ.c2lnbmF0dXJl';
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  'a path on a machine': /(?:^|[\s"'=:(])\/(?:tmp|home|root|work|Users|var|opt|usr)\//,
  'a port of a test run': /127\.0\.0\.1:\d/,
  'a private key': /PRIVATE KEY|"(?:privateKey|password|mnemonic)":/,
  'a token': /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/,
  'a code': /"(?!123-ABC-456)[0-9A-Z]{3}(?:-[0-9A-Z]{3}){2}"/,
  'a webhook secret': /whs-(?!secret-of-this-webhook)/,
  'a seed for one-time passwords': /secret=(?!JBSWY3DPEHPK3PXP&)/,
};

const foundIn = (text: string): readonly string[] => [
  ...Object.entries(FORBIDDEN)
    .filter(([, pattern]) => pattern.test(text.replaceAll(TOKEN_SHOWN, '')))
    .map(([name]) => name),
  ...(Buffer.byteLength(text) > BYTES_MAX ? [`more than ${BYTES_MAX} bytes`] : []),
];

test.each(names)('the example of %s is small, and contains no secret and no trace of the machine', (name) => {
  expect(foundIn(readFileSync(join(FOLDER, `${name}.json`), 'utf8'))).toEqual([]);
});

/** Kinds of event that are not delivered to a receiver in any test. */
const NOT_DELIVERED = [
  'address_watch.blockchain_event.misc.reversed',
  'address_watch.blockchain_event.transfer.reversed',
  'charter.amended',
  'charter.amendment.refused',
  'fleet.group.approved',
  'fleet.group.canceled',
  'fleet.group.created',
  'fleet.group.due',
  'fleet.group.rejected',
  'fleet.group.submitted',
  'keyStore.changed',
  'policy.approval.unreachable',
  'wallet.blockchain_event.transfer.reversed',
  'wallet.signature.failed',
  'wallet.signature.reversed',
  'wallet.transaction.reversed',
  'wallet.transfer.reversed',
];

test('every kind of event has a recorded delivery, except for the kinds that are not delivered in any test', () => {
  expect([...namesIn(DELIVERIES), ...NOT_DELIVERED].sort()).toEqual([...EVENT_KINDS].sort());
});

test.each(namesIn(DELIVERIES))('the recorded delivery of %s fits the document and contains no secret', (kind) => {
  const text = readFileSync(join(DELIVERIES, `${kind}.json`), 'utf8');
  expect(foundIn(text)).toEqual([]);
  expect(JSON.parse(text)).toMatchObject({ kind });
  expect(faultsOfDelivery(JSON.parse(text) as { kind: string })).toEqual([]);
});

test.each([
  ['a path on a machine', '"reason": "ENOENT /tmp/strongroom-e2e-1/lock"'],
  ['a port of a test run', '"url": "http://127.0.0.1:33225/hook"'],
  ['a private key', '"-----BEGIN PRIVATE KEY-----"'],
  ['a private key', '"password": "correct horse"'],
  ['a token', '"eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1cy0wMSJ9.AAAAAAAAAAAAAAAAAAAA"'],
  ['a code', '"registrationCode": "YFV-9E3-FN5"'],
  ['a webhook secret', '"whs-ZzSPm"'],
  ['a seed for one-time passwords', '"otpauth://totp/Strongroom?secret=EEQQ6WDC&digits=6"'],
  ['more than 6144 bytes', 'x'.repeat(BYTES_MAX + 1)],
])('%s in an example is found', (name, text) => {
  expect(foundIn(text)).toEqual([name]);
});

const faultsOfExample = ({ id, ...operation }: (typeof operations)[number], { body, response } = exampleOf(id)) => {
  const path = templateOf(operation as (typeof operations)[number]);
  return [...faultsOfBody(operation.method, path, body), ...faultsOfAnswer(operation.method, path, response)];
};

test.each(operations.map((operation) => [operation.id, operation] as const))(
  'the example of %s fits the document',
  (_id, operation) => {
    expect(faultsOfExample(operation)).toEqual([]);
  },
);

test.each(operations.flatMap((operation) => (operation.accepted ? [[operation.id, operation] as const] : [])))(
  'the example of %s also contains the answer for a waiting change, and this answer fits the document',
  (id, operation) => {
    expect(faultsOfAnswer(operation.method, templateOf(operation), exampleOf(id).accepted, 202)).toEqual([]);
  },
);

test('the check reports an example in the wrong format', () => {
  const operation = operations.find(({ id }) => id === 'createFreeze');
  if (!operation) throw new Error('there is no operation createFreeze');
  const example = exampleOf('createFreeze');
  const faults = faultsOfExample(operation, {
    ...example,
    body: { reason: 1 },
    response: { ...(example.response as object), id: 1 },
  });
  expect(faults).toEqual(expect.arrayContaining(['/reason must be string', '/id must be string']));
});

test('a text example is shown under its own media type, and as a string under JSON', () => {
  const { paths } = openapiOf(operations, SNAPSHOTS, '0.0.0', {
    operations: { listAuditLogs: exampleOf('listAuditLogs') },
    deliveries: {},
  }) as {
    readonly paths: Readonly<
      Record<string, { readonly get: { readonly responses: Readonly<Record<string, { content: object }>> } }>
    >;
  };
  const example = exampleOf('listAuditLogs').response;
  expect(example).toMatch(/^id,datePerformed,action,/);
  expect(paths['/auth/action/logs']?.get.responses['200']?.content).toMatchObject({
    'application/json': { example },
    'text/csv': { schema: { type: 'string' }, example },
  });
});

test('the file that ELSEWHERE lists for an operation records the example of the operation', () => {
  for (const [id, { file, reason }] of Object.entries(ELSEWHERE)) {
    expect(reason).not.toBe('');
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(`noteAnswer('${id}', `);
  }
});
