// npm run check: all checks that must pass before a push. Every step runs even if an earlier step failed. `--without-tests`
// leaves out the steps that run a part of `npm test`.
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import boundaries from '../boundaries.cjs';
import { checkNode, installDependencies } from './prepare/node.mjs';
import { step } from './prepare/step.mjs';
import { helpIfAsked } from './usage.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
/**
 * The step `boundaries` checks the boundary rules on this tree. Only the nightly tests check that each rule finds a violation.
 */
const GUARDS = ['tidy', 'tidy-faults', 'lint', 'durable-names', 'workflows/replay', 'worker/bundle'];

const JEST = 'jest/bin/jest.js';

const tool = (path, ...args) => [join('node_modules', ...path.split('/')), ...args];

/**
 * Each step has its printed name and its arguments for Node. The build step also fails if the workflow bundle exceeds its size
 * limit.
 */
export const STEPS = [
  ['format and lint', tool('@biomejs/biome/bin/biome', 'ci', '--colors=off', '--error-on-warnings', '--max-diagnostics=50')],
  ['types', tool('typescript/bin/tsc', '--noEmit')],
  ['types of the page', tool('typescript/bin/tsc', '--project', 'tsconfig.page.json')],
  [
    'boundaries',
    tool('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', ...Object.keys(boundaries)),
  ],
  ['build, bundle budget', ['scripts/build.mjs']],
  ['OpenAPI, interface and errors drift', [join('dist', 'api', 'openapi-file.js'), '--check']],
  ['OpenAPI rules and generators', ['scripts/openapi.mjs']],
  ['configuration drift', ['scripts/configuration.mjs', '--check']],
  ['unused code', tool('knip/bin/knip.js', '--no-progress')],
  ['tidy, names, replay', tool(JEST, '--selectProjects', 'unit', '--testPathPatterns', `test/(${GUARDS.join('|')})\\.test`)],
  [
    'compose schema, Dockerfile lint',
    tool(JEST, '--selectProjects', 'unit', '--testPathPatterns', 'test/deploy/(compose|dockerfile)\\.test'),
  ],
];

/** Returns the exit code and all of the output, in order. */
function runNode(args) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/**
 * Copies the compiler's build info from the shared cache if this clone lacks the file. The compiler then checks only changed
 * files. The returned function copies the new build info into the cache.
 */
function seedTypes() {
  const own = join(ROOT, '.cache', 'tsc.tsbuildinfo');
  const shared = join(process.env.STRONGROOM_CACHE || dirname(own), 'tsc.tsbuildinfo');
  if (resolve(own) === resolve(shared)) return () => {};
  mkdirSync(dirname(own), { recursive: true });
  if (!existsSync(own) && existsSync(shared)) copyFileSync(shared, own);
  return () => {
    if (!existsSync(own)) return; // the compiler ended before it wrote anything
    const partial = `${shared}.${process.pid}`;
    mkdirSync(dirname(shared), { recursive: true });
    copyFileSync(own, partial);
    renameSync(partial, shared);
  };
}

/** With `--without-tests`, only the steps that do not run Jest. */
function chosenSteps(words) {
  const [jest] = tool(JEST);
  return words.includes('--without-tests') ? STEPS.filter(([, [program]]) => program !== jest) : STEPS;
}

async function main() {
  helpIfAsked(`Usage: npm run check [-- --without-tests]
  Runs everything that must hold before a push. --without-tests leaves out the steps that run a part of npm test.`);
  const steps = chosenSteps(process.argv.slice(2));
  await step('Node', async () => checkNode());
  await step('dependencies', () => installDependencies(ROOT, process.env));
  const keepTypes = seedTypes();
  const failures = [];
  for (const [name, args] of steps) {
    await step(name, async () => {
      const { code, output } = await runNode(args);
      if (code !== 0) failures.push({ name, output });
      return { detail: code === 0 ? 'passed' : 'FAILED' };
    });
  }
  keepTypes();
  for (const { name, output } of failures) process.stdout.write(`\n${name}\n${output.trimEnd()}\n`);
  process.stdout.write(`\n${steps.length - failures.length} checks passed, ${failures.length} failed\n`);
  return failures.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main();
