import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { configurationPage, ROLES } from '../../local/configuration-page';
import { variablesOf } from '../../local/variables';
import { CHARTER_COMMANDS } from '../../operator/charter-commands';
import { COMMANDS } from '../../operator/commands';
import { COMMAND_ENVS } from '../../operator/config';
import { KEY_STORE_COMMANDS } from '../../operator/key-store-commands';
import { KEEPING_COMMANDS } from '../../operator/offline-commands';
import { Flag, JsonText, Key32, Port } from '../../platform/config';

const ROOT = join(__dirname, '..', '..');
const page = readFileSync(join(ROOT, 'docs', 'configuration.md'), 'utf8');
const named = new Set([...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name));

const SCHEMAS = [...ROLES, ...COMMAND_ENVS.map(({ commands, schema }) => ({ title: commands.join(', '), schema }))];

test.each(SCHEMAS.map(({ title, schema }) => [title, schema] as const))(
  'every variable of %s has one description, and the page contains it',
  (_title, schema) => {
    const variables = variablesOf(schema);
    expect(variables.map(({ name }) => name)).toEqual(Object.keys(schema.shape));
    for (const { name, description } of variables) {
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/)]);
      expect(page).toContain(`| ${description} |`);
    }
  },
);

test('a variable that its schema does not describe is refused, and the error contains its name', () => {
  expect(() => variablesOf(z.object({ SOME_PORT: Port.default(1), SOME_FLAG: Flag.default(false).describe('On.') }))).toThrow(
    'SOME_PORT has no description',
  );
});

test('a variable of Compose that no schema describes is refused, and the error contains its name', () => {
  const compose = [{ name: 'NO_SUCH_VARIABLE', standard: '' }];
  expect(() => configurationPage({ trial: [], compose, composeAlone: [] })).toThrow('NO_SUCH_VARIABLE of docker-compose.yml');
});

test('the format, the bounds, the default and the mark of a secret come from the schema', () => {
  const schema = z.object({
    PORT: Port.default(80).describe('a'),
    SWITCH: Flag.default(false).describe('b'),
    KEY: Key32.describe('c'),
    OPTIONAL_KEY: Key32.optional().describe('d'),
    TABLE: JsonText.pipe(z.record(z.string(), z.number())).describe('e'),
    NAME: z.string().max(9).optional().describe('f'),
  });
  expect(variablesOf(schema)).toEqual([
    { name: 'PORT', form: 'whole number, 0 to 65535', standard: '`80`', secret: '', description: 'a' },
    { name: 'SWITCH', form: '`true`, `false`', standard: '`false`', secret: '', description: 'b' },
    { name: 'KEY', form: '64 hex digits', standard: 'must be set', secret: 'yes', description: 'c' },
    { name: 'OPTIONAL_KEY', form: '64 hex digits', standard: '', secret: 'yes', description: 'd' },
    { name: 'TABLE', form: 'JSON', standard: '`{}`', secret: '', description: 'e' },
    { name: 'NAME', form: 'text of at most 9 characters', standard: '', secret: '', description: 'f' },
  ]);
});

test('every variable that gives access to a key, a database or an external service is marked as a secret', () => {
  const secrets = SCHEMAS.flatMap(({ schema }) => variablesOf(schema)).filter(({ secret }) => secret !== '');
  expect([...new Set(secrets.map(({ name }) => name))].sort()).toEqual([
    ...['DATABASE_URL', 'DATA_KEK', 'NETWORK_RPC_URLS', 'NETWORK_SETTINGS', 'OWNER_DATABASE_URL', 'PRICE_SOURCES'],
    ...['RELAY_DATABASE_URL', 'SIGNER_AUTH', 'SIGNER_AUTH_FILE', 'SIGNER_KEK', 'SIGNER_KEK_FILE', 'SIGNER_KMS_CREDENTIALS_FILE'],
    ...['SIGNER_REPLICA_AUTH_FILE', 'SMTP_URL', 'TEMPORAL_API_KEY', 'TOKEN_KEY'],
  ]);
});

test('exactly the commands of the operator are listed, each with its variables', () => {
  const listed = new Set(COMMAND_ENVS.flatMap(({ commands }) => commands.map((command) => command.split(' ')[0])));
  const commands = Object.keys({ ...COMMANDS, ...KEEPING_COMMANDS, ...CHARTER_COMMANDS, ...KEY_STORE_COMMANDS });
  expect(listed).toEqual(new Set(commands.map((command) => command.split(' ')[0])));
});

test('every variable that the scripts read is on the page', () => {
  const scripts = readdirSync(join(ROOT, 'scripts'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.mjs'),
  );
  const read = scripts.flatMap((path) =>
    [...readFileSync(join(ROOT, 'scripts', path), 'utf8').matchAll(/\benv\.([A-Z]\w+)|variable: '(\w+)'/g)].map(
      ([, member, port]) => (member ?? port ?? '').replace(/_FILE$/, ''),
    ),
  );
  expect(read.length).toBeGreaterThan(50);
  expect([...new Set(read)].filter((name) => name !== 'PATH' && !named.has(name))).toEqual([]);
});

test('the page equals the output of its script', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'configuration.mjs'), '--check'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});
