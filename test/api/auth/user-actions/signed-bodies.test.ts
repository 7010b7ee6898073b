import { randomBytes } from 'node:crypto';
import { Client as PgClient } from 'pg';
import { z } from 'zod';
import { operations } from '../../../../api/operations';
import { openBody } from '../../../../application/user-actions/signed-bodies';
import { UserActionEntity } from '../../../../entities/user-actions/user-action.entity';
import { createSecretBox } from '../../../../platform/secret-box';
import { type Person, startApi, type TestApi } from '../../../support/api';
import { formsOf, foundIn } from '../../../support/canary';
import { postgresUrl } from '../../../support/roles';
import { postSecrets, SECRET_BODIES } from '../../../support/secret-bodies';

const DATA_KEK = randomBytes(32);
const box = createSecretBox(DATA_KEK, 'user-actions');

let api: TestApi;
let person: Person;
beforeAll(async () => {
  api = await startApi({ dataKek: DATA_KEK.toString('hex') });
  person = await api.createPerson(await api.createOrganization());
});
afterAll(() => api?.close());

const actions = ({ orgId }: Person, path: string) =>
  api.database.db.read(orgId).rows(UserActionEntity, 'WHERE t.path = $1 ORDER BY t.id', [path]);

test('the exact text of a signed body is stored, sealed for its own action', async () => {
  const text = '{ "name" : "Sealed",  "operations": ["Wallets:Read"] }';
  await person.client.userAction('POST', '/permissions', text);
  await person.client.userAction('POST', '/permissions', '{}');
  const [action, other] = await actions(person, '/permissions');
  if (!action || !other) throw new Error('an action is missing');
  expect(action.sealedBody).not.toContain('Sealed');
  expect(openBody(box, action)).toBe(text);
  // The text of another action cannot be opened, and neither can a text with a different signed digest.
  expect(openBody(box, { ...action, sealedBody: other.sealedBody })).toBeUndefined();
  expect(openBody(box, { ...action, bodySha256: other.bodySha256 })).toBeUndefined();
  expect(openBody(createSecretBox(randomBytes(32), 'user-actions'), action)).toBeUndefined();
});

test('no body is stored for a path that does not belong to an operation', async () => {
  await person.client.userAction('POST', '/nowhere', '{"password":"x"}');
  expect((await actions(person, '/nowhere')).map(({ sealedBody }) => sealedBody)).toEqual([null]);
});

const SECRET = /secret|passw|private|otp|apikey|share|mnemonic|seed/i;
/** Public members with names that look like names of secrets. */
const PUBLIC: Readonly<Record<string, readonly string[]>> = {
  // The seed selects the point of the derivation. Only the output is secret.
  deriveKey: ['seed'],
};

function membersOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(membersOf);
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(membersOf)];
}

test.each(operations.filter(({ userAction }) => userAction).map((one) => [one.id, one] as const))(
  '%s stores the text of its body if and only if no member looks secret',
  (id, { body, secretBody }) => {
    const members = membersOf(z.toJSONSchema(body, { unrepresentable: 'any', io: 'input' }));
    const secrets = members.filter((name) => SECRET.test(name) && !PUBLIC[id]?.includes(name));
    expect({ secretBody: secretBody ?? false, secrets: secrets.length > 0 }).toEqual({
      secretBody: secrets.length > 0,
      secrets: secrets.length > 0,
    });
  },
);

test('the canary tests below have a body for each operation that takes a secret in its body', () => {
  expect(
    operations
      .filter(({ secretBody }) => secretBody)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(Object.keys(SECRET_BODIES).sort());
});

test('neither the database, including sealed bodies, nor the log contains a posted secret', async () => {
  const posted = await postSecrets(person.client);
  const secrets = Object.fromEntries(Object.entries(posted).map(([name, bytes]) => [name, formsOf(bytes)]));
  const database = new PgClient({ connectionString: postgresUrl(), database: api.database.name });
  await database.connect();
  const { rows: tables } = await database.query<{ name: string }>(
    `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const lines: string[] = [];
  for (const { name } of tables) {
    lines.push(...(await database.query<{ line: string }>(`SELECT t::text AS line FROM ${name} t`)).rows.map(({ line }) => line));
  }
  await database.end();
  const kept = await api.database.db.read(person.orgId).rows(UserActionEntity, 'WHERE t.sealed_body IS NOT NULL');
  lines.push(...kept.map((action) => box.open(action.sealedBody ?? '', `body ${action.orgId}/${action.id}`)));
  expect(foundIn(lines.join('\n'), secrets)).toEqual([]);
  expect(foundIn(api.log.join('\n'), secrets)).toEqual([]);
});
