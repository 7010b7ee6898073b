import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { DatabaseUrl, Flag, JsonText, Key32, NodeEnv, Port, RpcUrls, readConfig } from '../../platform/config';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const faultsOf = (schema: z.ZodType, env: Readonly<Record<string, string | undefined>>): string[] => {
  try {
    readConfig(schema, env);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ name: 'ConfigError' });
    return (error as Error).message.split('\n').slice(1);
  }
};

const Schema = z.object({ TOKEN: z.string(), PORT: Port, NAME: z.string().default('some name') });

test('a value is read from its variable, and a missing or empty variable has its default', () => {
  expect(readConfig(Schema, { TOKEN: 't', PORT: '80' })).toEqual({ TOKEN: 't', PORT: 80, NAME: 'some name' });
  expect(readConfig(Schema, { TOKEN: 't', PORT: '80', NAME: '' })).toMatchObject({ NAME: 'some name' });
});

test('X_FILE sets X to the content of a file, without the line break at the end', () => {
  const path = fileOf('token', 'from a file\n');
  expect(readConfig(Schema, { TOKEN_FILE: path, PORT: '80' })).toMatchObject({ TOKEN: 'from a file' });
});

test('the variable takes precedence over its file, and the file is not even read', () => {
  expect(readConfig(Schema, { TOKEN: 'direct', TOKEN_FILE: join(folder, 'missing'), PORT: '80' })).toMatchObject({
    TOKEN: 'direct',
  });
});

test('a _FILE variable of another program is ignored', () => {
  expect(faultsOf(Schema, { TOKEN: 't', PORT: '80', SOMEBODY_ELSES_FILE: join(folder, 'missing') })).toEqual([]);
});

test('every fault is listed at once, each with its variable', () => {
  const faults = faultsOf(z.object({ ...Schema.shape, KEY: Key32, OTHER: z.string() }), {
    TOKEN_FILE: join(folder, 'missing'),
    PORT: '70000',
    KEY: 'short',
  });
  expect(faults).toEqual([
    expect.stringMatching(/^ {2}TOKEN_FILE: .*missing cannot be read/),
    '  TOKEN: is not set',
    expect.stringMatching(/^ {2}PORT: /),
    '  KEY: must be 64 hex digits (32 bytes)',
    '  OTHER: is not set',
  ]);
});

test('an unreadable file is a fault even if the variable has a default', () => {
  expect(faultsOf(Schema, { TOKEN: 't', PORT: '80', NAME_FILE: join(folder, 'missing') })).toHaveLength(1);
});

test('a fault never repeats the value of a secret', () => {
  expect(faultsOf(z.object({ KEY: Key32 }), { KEY: 'canary-7f3a' }).join()).not.toContain('canary');
  expect(faultsOf(z.object({ DATABASE_URL: DatabaseUrl }), { DATABASE_URL: 'mysql://u:canary@h/d' }).join()).not.toContain(
    'canary',
  );
  expect(faultsOf(z.object({ TABLE: JsonText }), { TABLE: '{canary' }).join()).not.toContain('canary');
});

test.each([
  ['a port', Port, ['0', '65535'], ['-1', '65536', '80.5', 'http']],
  ['a switch', Flag, ['true', 'false'], ['yes', 'TRUE', '1', ' true']],
  ['a key of 32 bytes', Key32, ['0a'.repeat(32), '0A'.repeat(32)], ['0a'.repeat(31), '0a'.repeat(33), '0g'.repeat(32)]],
  ['a database', DatabaseUrl, ['postgres://u:p@h:1/d', 'postgresql://h/d'], ['http://h/d', 'h:5432']],
  ['an environment', NodeEnv, ['development', 'test', 'production'], ['prod', 'Production']],
  [
    'node addresses',
    RpcUrls,
    ['{}', '{"A":["http://h:1"]}'],
    ['{"A":[]}', '{"A":"http://h"}', '{"A":["ftp://h"]}', '{"A":["http://u:p@h"]}', '[1]', 'A'],
  ],
])('%s is accepted, and other values are refused', (_what, schema, good, bad) => {
  for (const text of good) expect({ text, faults: faultsOf(z.object({ X: schema }), { X: text }) }).toEqual({ text, faults: [] });
  for (const text of bad)
    expect({ text, taken: faultsOf(z.object({ X: schema }), { X: text }).length === 0 }).toEqual({ text, taken: false });
});

test('a missing environment is treated as production, so that a forgotten setting never enables the trial mode', () => {
  expect(readConfig(z.object({ NODE_ENV: NodeEnv }), {})).toEqual({ NODE_ENV: 'production' });
});
