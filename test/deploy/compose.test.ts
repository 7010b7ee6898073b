import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { apiConfig } from '../../api/config';
import { migrationConfig } from '../../entities/config';
import { chainConfig, firstRunConfig } from '../../local/config';
import {
  backupConfig,
  escrowConfig,
  operatorConfig,
  operatorTemporalConfig,
  ownerConfig,
  reconcileConfig,
  restoreConfig,
  verifyConfig,
} from '../../operator/config';
import { readSignerConfig } from '../../signer/config';
import { readReplicaConfig } from '../../signer/replica/config';
import { workerConfig } from '../../worker/config';
import { type ComposeFile, composeOf, composeText, ROOT, readCompose, readEnvFile } from '../support/compose';
import { composeRules, type Surroundings } from '../support/compose-rules';
import { dockerfileText, stagesOf } from '../support/dockerfile';

const OWN_ID = { STRONGROOM_UID: '10001', STRONGROOM_GID: '10001' };
const SCHEMA_SHA256 = '1f91e091f16b2dd50ab8860e02bb391d22df553d91c145eacedb1b6eff9c3f0e';
/** Undefined if the schema is not in the cache and cannot be fetched. */
const schemaText = readSchema();
const testOfSchema = schemaText === undefined ? test.failing : test;

const SHARED = ['platform/temporal-config.ts', 'platform/metrics-server.ts', 'platform/tracing.ts'];
const SIGNER_KEYS = ['signer/keys/kek/config.ts', 'signer/charters/operator-key-variable.ts'];
/** The function that reads the configuration of each of our programs, and the files that list its variables. */
const PROGRAMS: Readonly<Record<string, readonly [read: () => unknown, ...files: string[]]>> = {
  api: [apiConfig, 'api/config.ts', ...SHARED],
  worker: [workerConfig, 'worker/config.ts', 'vendors/prices/configured.ts', ...SHARED],
  signer: [readSignerConfig, 'signer/config.ts', ...SIGNER_KEYS],
  replica: [readReplicaConfig, 'signer/replica/config.ts'],
  migrate: [migrationConfig, 'entities/config.ts'],
  chain: [chainConfig, 'local/config.ts'],
  'first-run': [firstRunConfig, 'local/config.ts'],
  operator: [reconcileConfig, 'operator/config.ts', 'platform/temporal-config.ts'],
  'operator-keys': [restoreConfig, 'operator/config.ts', ...SIGNER_KEYS],
};
/** Variables that a program reads and the compose file does not set. */
const SET_ELSEWHERE: Readonly<Record<string, string>> = {
  HEALTH_HOST: 'the healthcheck uses the default',
  HEALTH_PORT: 'the healthcheck uses the default',
  WORKFLOW_BUNDLE: 'the image sets its own value',
  SIGNER_NATIVE_FILE: 'the image contains this file',
  SIGNER_URL: 'the signer of the compose file is on this host and has no network',
  SIGNER_LISTEN: 'the signer of the compose file is on this host and has no network',
  SIGNER_TLS_DIR: 'the signer of the compose file is on this host and has no network',
  SIGNER_TLS_NAMES: 'the signer of the compose file is on this host and has no network',
  SIGNER_REPLICA_NAMES: 'the signer of the compose file is on this host and has no network',
  SIGNER_KEK_SOURCE: 'replaces the key file, and needs a forwarder that the compose file does not run',
  SIGNER_KMS_SOCKET: 'needs a forwarder that the compose file does not run',
  SIGNER_KMS_CREDENTIALS_FILE: 'needs a forwarder that the compose file does not run',
  SIGNER_KMS_ENDPOINT: 'needs a forwarder that the compose file does not run',
  SIGNER_KMS_CA_FILE: 'needs a forwarder that the compose file does not run',
  TEMPORAL_API_KEY: 'the Temporal server of the compose file needs no API key',
};
/** The variables in the zod schemas of a program's configuration. */
const variablesOf = (service: string): readonly string[] => {
  const [, ...files] = PROGRAMS[service] ?? [() => undefined];
  const texts = files.map((file) => readFileSync(join(ROOT, file), 'utf8'));
  return texts.flatMap((text) =>
    [...text.matchAll(/\b([A-Z][A-Z0-9_]+): (?:z\n?\s*\.|[A-Z][a-z])/g)].map(([, name = '']) => name),
  );
};
const around: Surroundings = {
  targets: new Set(stagesOf(dockerfileText).map(({ name }) => name)),
  exists: (path) => existsSync(join(ROOT, path)),
  knownVariables: (service) => {
    const [, ...files] = PROGRAMS[service] ?? [() => undefined];
    const words = files.flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []);
    return words.length === 0 ? undefined : new Set(words);
  },
};

const read = (text = composeText, variables: Readonly<Record<string, string>> = OWN_ID) =>
  composeOf(readCompose(text, variables));
const allFaults = (file: ComposeFile) => composeRules.flatMap(({ check }) => check(file, around));
const replaced = (what: string | RegExp, by: string) => {
  const text = composeText.replace(what, by);
  expect(text).not.toBe(composeText);
  return text;
};

function readSchema(): string | undefined {
  const where = JSON.stringify({ root: ROOT, cacheFolder: process.env['STRONGROOM_CACHE'] || join(ROOT, '.cache') });
  const source = `const { findComposeSchema } = await import('${ROOT}/scripts/prepare/compose-schema.mjs');
    console.log((await findComposeSchema({ ...${where}, env: process.env })).value);`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
  return status === 0 ? readFileSync(stdout.trim(), 'utf8') : undefined;
}

function schemaFaults(value: unknown): string[] {
  // The schema spells the address of its dialect in a way that the validator does not recognise.
  const { $schema: _dialect, ...schema } = JSON.parse(schemaText ?? '') as Record<string, unknown>;
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addFormat('expose', true).addFormat('ports', true).addFormat('subnet_ip_address', true);
  const validate = ajv.compile(schema);
  return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

testOfSchema('the schema equals the published schema byte for byte', () => {
  expect(
    createHash('sha256')
      .update(schemaText ?? '')
      .digest('hex'),
  ).toBe(SCHEMA_SHA256);
});

testOfSchema('docker-compose.yml is valid under the published schema', () => {
  expect(schemaFaults(readCompose(composeText, OWN_ID))).toEqual([]);
});

testOfSchema.each([
  ['a key that is unknown to Compose', '    restart_policy: x\n'],
  ['a value of the wrong type', '    cap_add: SYS_ADMIN\n'],
])('the schema refuses %s', (_title, line) => {
  const planted = replaced('  migrate:\n', `  migrate:\n${line}`);
  expect(schemaFaults(readCompose(planted, OWN_ID))).not.toEqual([]);
});

describe('docker-compose.yml', () => {
  for (const { title, check } of composeRules) {
    test(title, () => {
      expect(check(read(), around)).toEqual([]);
    });
  }

  test.each(['api', 'worker', 'signer', 'replica', 'migrate', 'operator'])(
    'docker-compose.yml sets every variable that %s reads',
    (service) => {
      const set = Object.keys(read().services[service]?.environment ?? {});
      const variables = variablesOf(service).filter(
        (name) => !(name in SET_ELSEWHERE) && !(name === 'SIGNER_KEK' && service === 'operator'),
      );
      expect(variables.length).toBeGreaterThan(0);
      expect(variables.filter((name) => !set.includes(name) && !set.includes(`${name}_FILE`))).toEqual([]);
    },
  );

  test('cannot be started before the secrets exist', () => {
    expect(() => read(composeText, {})).toThrow('STRONGROOM_UID is required');
  });
});

describe('a planted fault is reported', () => {
  test.each<[string, string | RegExp, string, RegExp]>([
    ['an image without a version', 'postgres:18.4-trixie', 'postgres:latest', /^postgres: postgres:latest/],
    ['a deprecated image', 'temporalio/server:1.31.2', 'temporalio/auto-setup:1.29.1', /^temporal: .*no new versions/],
    ['a target that does not exist', 'target: signer', 'target: vault', /^signer: no target vault/],
    ['a container that runs as root', /user: ".*"/, "user: '0:0'", /^api: runs as 0:0/],
    ['a writable root file system', 'read_only: true', 'read_only: false', /^api: may write/],
    ['a capability that is not dropped', 'cap_drop: [ALL]', 'cap_drop: [NET_RAW]', /^api: has capabilities/],
    ['a container that may gain privileges', '["no-new-privileges:true"]', '[seccomp:unconfined]', /^api: may gain/],
    [
      'a container that may make any system call',
      'seccomp:./deploy/seccomp/signer.json',
      'seccomp:unconfined',
      /^signer: makes any system call/,
    ],
    ['a container without a memory limit', '    mem_limit: 2g\n', '', /^postgres: has no bounds/],
    ['a log without a limit', /\n {2}logging: .*/, '', /^api: logs without end/],
    [
      'no healthcheck',
      /\n {4}healthcheck:\n.*\n.*\n.*\n.*period: 60s\n {4}# The worker/,
      '\n    # The worker',
      /^worker: has no healthcheck/,
    ],
    ['a healthcheck with a shell', '[CMD, nc, -z', '[CMD-SHELL, nc, -z', /^temporal: its healthcheck needs a shell/],
    ['no grace period to stop', '    stop_grace_period: 40s\n', '', /^worker: has no stop_grace_period/],
    ['a process that is not restarted', 'restart: unless-stopped', "restart: 'no'", /^api: restart: no/],
    [
      'a process that waits for the start of a job instead of its end',
      'migrate: { condition: service_completed_successfully }',
      'migrate: { condition: service_started }',
      /→ service_completed/,
    ],
    ['a process that waits for an unknown service', 'signer: { condition', 'vault: { condition', /^worker: waits for vault/],
    ['an undeclared secret', 'secrets: [database-owner-url]', 'secrets: [owner-url]', /secret owner-url is not declared/],
    [
      'an unused volume',
      'volumes:\n  postgres-data: {}',
      'volumes:\n  spare: {}\n  postgres-data: {}',
      /volume spare is not used/,
    ],
    ['a file that does not exist', './deploy/temporal/schema.sh', './deploy/temporal/scheme.sh', /scheme\.sh does not exist/],
    [
      'the worker with the key that encrypts all keys',
      'secrets: [database-worker-url, database-relay-url',
      'secrets: [signer-kek, database-worker-url, database-relay-url',
      /^worker: sees signer-kek → only signer and operator-keys/,
    ],
    [
      'a secret in the environment',
      'OWNER_DATABASE_URL_FILE: /run/secrets/database-owner-url',
      'OWNER_DATABASE_URL: postgres://o:p@postgres/strongroom',
      /^operator: OWNER_DATABASE_URL holds/,
    ],
    [
      'a variable that reads a missing secret',
      'SIGNER_KEK_FILE: /run/secrets/signer-kek',
      'SIGNER_KEK_FILE: /run/secrets/data-kek',
      /^signer: reads .*data-kek/,
    ],
    ['a misspelt variable', 'PUBLIC_URL: $', 'PUBLIC_URI: $', /^worker: PUBLIC_URI is not known to any program/],
    ['a port on every address of the host', '["127.0.0.1:3000:3000"]', "['3000:3000']", /^api: 3000:3000/],
    ['a signer with a network', 'network_mode: none', 'networks: [temporal]', /^signer: has a network/],
    ['a signer that can be scaled', '    container_name: strongroom-signer\n', '', /^signer: can be scaled/],
    ['a database that can be reached', 'networks: [database]', 'networks: [database, outside]', /^postgres: on outside/],
  ])('%s', (_title, what, by, report) => {
    expect(allFaults(read(replaced(what, by)))).toContainEqual(expect.stringMatching(report));
  });
});

describe('with the secrets that npm run secrets makes', () => {
  const original = process.env;
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'strongroom-deploy-'));
    execFileSync(process.execPath, [join(ROOT, 'scripts', 'secrets.mjs'), 'secrets'], { cwd: folder });
  });
  afterEach(() => {
    process.env = original;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const environmentOf = (service: string, more: Readonly<Record<string, string>>) => {
    const file = read(composeText, { ...readEnvFile(join(folder, '.env')), ...more });
    const pairs = Object.entries(file.services[service]?.environment ?? {});
    return Object.fromEntries(pairs.map(([name, value]) => [name, value.replace('/run/secrets', join(folder, 'secrets'))]));
  };

  test.each(['api', 'worker', 'signer', 'migrate'])('%s finds every variable that it needs in production', (service) => {
    process.env = environmentOf(service, {});
    expect(PROGRAMS[service]?.[0]).not.toThrow();
    expect(process.env['NODE_ENV'] ?? 'production').toBe('production');
  });

  test.each(['api', 'worker', 'chain', 'first-run'])('%s finds every variable that it needs in a trial', (service) => {
    process.env = {
      ...environmentOf(service, readEnvFile(join(ROOT, 'deploy', 'trial.env'))),
      ANVIL_PATH: '/usr/local/bin/anvil',
    };
    expect(PROGRAMS[service]?.[0]).not.toThrow();
  });

  test("the operator's commands find their variables, and only the commands that restore keys see the key-encryption key", () => {
    process.env = environmentOf('operator', {});
    for (const needed of [operatorConfig, operatorTemporalConfig, ownerConfig, backupConfig, reconcileConfig])
      expect(needed).not.toThrow();
    expect(restoreConfig().SIGNER_KEK).toBeUndefined();
    process.env = environmentOf('operator-keys', {});
    expect(escrowConfig).not.toThrow();
    expect(restoreConfig()).toMatchObject({ SIGNER_KEK: expect.any(Buffer), DATA_KEK: expect.any(Buffer) });
    expect(verifyConfig().keks.active.kind).toBe('local');
  });

  test('the job that writes private keys refuses to run in production', () => {
    process.env = environmentOf('first-run', {});
    expect(PROGRAMS['first-run']?.[0]).toThrow('never written in production');
  });

  test('the command never replaces existing secrets', () => {
    const again = () =>
      execFileSync(process.execPath, [join(ROOT, 'scripts', 'secrets.mjs'), 'secrets'], { cwd: folder, stdio: 'pipe' });
    expect(again).toThrow('Secrets are never replaced');
  });
});
