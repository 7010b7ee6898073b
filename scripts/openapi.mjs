// node scripts/openapi.mjs: lints openapi.json with the recommended rules of Redocly and Spectral, and generates a TypeScript
// client and a Python client. Fails if a linter finds a fault outside `ACCEPTED`, or if an example does not fit its generated
// type. Also fails if a generator drops a part of the document. A document that passed is not checked again with the same tools.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { findPythonGenerator } from './prepare/python-generator.mjs';
import { run } from './prepare/run.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const FILE = join(ROOT, 'openapi.json');
const CACHE = process.env.STRONGROOM_CACHE || join(ROOT, '.cache');
/** The second and third files name the versions of the tools. */
const INPUTS = ['openapi.json', 'package-lock.json', 'tools/openapi-python-client/requirements.txt', 'scripts/openapi.mjs'];
const LIMIT_MS = 120_000;
const ANNOUNCED_MAX = 40;

/** The findings that do not fail the check. */
const ACCEPTED = [
  {
    finding:
      /^no-ambiguous-paths: .*`\/v2\/policies\/\{policyId\}\/reachability` and `\/v2\/policies\/backtests\/\{backtestId\}`/,
    reason: 'No policy has the id `backtests` and no backtest the id `reachability`, so no request fits both',
  },
];

/** The findings of Redocly, by the recommended rules. */
async function redocly(source) {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: FILE, config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`);
}

/** The findings of Spectral, by the recommended rules for OpenAPI. */
async function spectral(source) {
  // Spectral's packages are CommonJS, and Node does not detect the names that such packages export.
  const require = createRequire(import.meta.url);
  const { Spectral, Document } = require('@stoplight/spectral-core');
  const { oas } = require('@stoplight/spectral-rulesets');
  const linter = new Spectral();
  linter.setRuleset({ extends: [[oas, 'recommended']] });
  const results = await linter.run(new Document(source, require('@stoplight/spectral-parsers').Json, FILE));
  return results.map(({ code, message, path }) => `${code}: ${message} at ${path.join('/')}`);
}

/** Assigns each example of a request body to its generated type. Returns the compiler's errors. */
async function typescript(source, folder) {
  const program = (name, file) => join(ROOT, 'node_modules', name, ...file);
  const node = (...args) => run(process.execPath, args, { env: process.env, limitMs: LIMIT_MS });
  await node(
    program('openapi-typescript', ['bin', 'cli.js']),
    FILE,
    '--default-non-nullable=false',
    '--output',
    join(folder, 'api.ts'),
  );
  const operations = Object.values(JSON.parse(source).paths).flatMap((path) => Object.values(path));
  const bodies = operations.flatMap(({ operationId, requestBody }) => {
    const example = requestBody?.content['application/json']?.example;
    return example === undefined ? [] : [`export const ${operationId}: Body<'${operationId}'> = ${JSON.stringify(example)};`];
  });
  const named =
    "type Body<T extends keyof operations> = operations[T] extends { requestBody?: { content: infer C } } ? C['application/json' & keyof C] : never;";
  writeFileSync(join(folder, 'client.ts'), ["import type { operations } from './api.js';", named, ...bodies].join('\n'));
  const compilerOptions = { noEmit: true, strict: true, target: 'es2022', module: 'nodenext', types: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['client.ts'] }));
  const compiler = [program('typescript', ['bin', 'tsc']), '--project', folder, '--pretty', 'false'];
  const { status, stdout } = spawnSync(process.execPath, compiler, { encoding: 'utf8', timeout: LIMIT_MS });
  return status === 0 ? [] : stdout.split('\n').filter((line) => line.includes('error TS'));
}

/** The Python generator. Undefined if this machine cannot get the generator. */
async function pythonGenerator() {
  try {
    return await findPythonGenerator({ root: ROOT, cacheFolder: CACHE, env: process.env });
  } catch (error) {
    process.stdout.write(`openapi-python-client was not tried: ${error.message}\n`);
    return undefined;
  }
}

/** The parts of the document that openapi-python-client drops. */
async function python({ command, env }, folder) {
  const config = join(folder, 'config.json');
  const output = join(folder, 'python');
  writeFileSync(config, JSON.stringify({ post_hooks: [] }));
  const options = ['--path', FILE, '--output-path', output, '--meta', 'none', '--config', config];
  const { stdout, stderr } = await run(command, ['-m', 'openapi_python_client', 'generate', ...options], {
    env,
    limitMs: LIMIT_MS,
  });
  await run(command, ['-m', 'compileall', '-q', output], { env, limitMs: LIMIT_MS });
  return `${stdout}\n${stderr}`.split('\n').filter((line) => /^(WARNING|ERROR|Unable|Cannot)/.test(line));
}

/** The name contains a hash of all `INPUTS`. The file exists if a check of the same inputs has passed. */
function passedFile() {
  const hash = createHash('sha256');
  for (const name of INPUTS) hash.update(readFileSync(join(ROOT, name)));
  return join(CACHE, 'openapi-passed', hash.digest('hex'));
}

async function main() {
  const passed = passedFile();
  if (existsSync(passed)) {
    process.stdout.write('OpenAPI: the same document has passed before\n');
    return 0;
  }
  const source = readFileSync(FILE, 'utf8');
  const generator = await pythonGenerator();
  const folder = mkdtempSync(join(tmpdir(), 'strongroom-openapi-'));
  try {
    const tools = {
      'openapi-python-client': generator ? python(generator, folder) : [],
      'openapi-typescript': typescript(source, folder),
      Redocly: redocly(source),
      Spectral: spectral(source),
    };
    const findings = Object.entries(tools).map(async ([tool, found]) => (await found).map((finding) => ({ tool, finding })));
    const lines = (await Promise.all(findings)).flat();
    const open = lines.filter((line) => !ACCEPTED.some(({ finding }) => finding.test(line.finding)));
    for (const { tool, finding } of open.slice(0, ANNOUNCED_MAX)) process.stdout.write(`${tool}: ${finding}\n`);
    process.stdout.write(`OpenAPI: ${open.length} findings, ${lines.length - open.length} accepted with a reason\n`);
    if (open.length > 0) return 1;
    if (generator) {
      mkdirSync(dirname(passed), { recursive: true });
      writeFileSync(passed, '');
    }
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
