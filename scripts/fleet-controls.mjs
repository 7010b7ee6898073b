// Removes the checks of the code of fleets one at a time in a copy of the code, and runs the tests that reach the check.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { build } from './build.mjs';
import { controlsOf, filesUnder, outdatedIn, standingTwiceIn, verdictOn } from './red-team-controls.mjs';
import { testPostgres, testVariables } from './test-environment.mjs';

export const FLEET_FOLDERS = [
  ...['platform/fleets', 'signer/orders/fleets', 'signer/record/fleets', 'signer/judging/fleets'],
  ...['archives', 'ceremonies', 'members', 'secrets', 'signing', 'state'].map((folder) => `offline-signer/${folder}`),
  'application/fleets',
];
const TESTS = ['test/platform/fleets', 'test/offline-signer', 'test/signer/orders/fleets'];
/** These tests use a database and take minutes, so they run only for controls of `NEEDING_DATABASE`. */
const DATABASE_TESTS = ['test/application/fleets', 'test/activities/fleets', 'test/api/key-stores'];
const NEEDING_DATABASE = 'application';
/** The first tests start the bundled program, which contains no switch. The others try changes at random. */
const LEFT_OUT = ['main', 'mutations'].map((name) => join('test', 'offline-signer', `${name}.test.ts`));
const NOT_COPIED = new Set(['node_modules', 'dist', '.git', '.cache']);
const LIMIT_MS = 1_800_000;

/** Loaded by every file with controls. It notes which test files reach a control, and tells which control is off. */
const SWITCH = `const { appendFileSync } = require('node:fs');
const notes = process.env['STRONGROOM_REACHED'];
const seen = new Set();
module.exports = (number) => {
  const line = notes && number + ' ' + (globalThis.expect?.getState().testPath ?? '') + '\\n';
  // Several test files of a process share this module.
  if (line && !seen.has(line)) {
    seen.add(line);
    appendFileSync(notes, line);
  }
  return number === globalThis.strongroomControlOff;
};
`;

/** The text of a file in which each control has a switch. A control can contain another control. */
export function switchedText(text, controls, switchPath) {
  const marks = controls.flatMap(({ start, end, number, always }) => [
    { at: start, rank: -end, mark: `(__isOff(${number}) ? ${always} : (` },
    { at: end, rank: -start, mark: '))' },
  ]);
  marks.sort((one, other) => one.at - other.at || one.rank - other.rank);
  let [made, from] = [`const __isOff = require(${JSON.stringify(switchPath)});`, 0];
  for (const { at, mark } of marks) {
    made += text.slice(from, at) + mark;
    from = at;
  }
  return made + text.slice(from);
}

function copyOf(root, controls) {
  const tree = mkdtempSync(join(tmpdir(), 'strongroom-fleet-controls-'));
  const kept = readdirSync(root).filter((name) => !NOT_COPIED.has(name));
  for (const name of kept) cpSync(join(root, name), join(tree, name), { recursive: true });
  cpSync(join(root, 'dist'), join(tree, 'dist'), { recursive: true, preserveTimestamps: true });
  for (const name of ['node_modules', '.cache']) symlinkSync(join(root, name), join(tree, name));
  const switchPath = join(tree, 'test', 'switch.cjs');
  writeFileSync(switchPath, SWITCH);
  for (const path of new Set(controls.map((control) => control.path))) {
    const own = controls.filter((control) => control.path === path);
    writeFileSync(join(tree, path), switchedText(own[0].text, own, switchPath));
  }
  return tree;
}

/** Runs Jest on these files. Returns the report of each file by its path in the tree. */
function tested({ tree, files, env, workers, started }) {
  const [bin, result] = [join(tree, 'node_modules', 'jest', 'bin', 'jest.js'), join(tree, 'test', 'controls.json')];
  const words = ['--ci', '--silent', `--maxWorkers=${workers}`, '--json', '--outputFile', result];
  const options = { cwd: tree, env: { ...process.env, ...env }, timeout: LIMIT_MS, maxBuffer: 1 << 28 };
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [bin, ...words, '--runTestsByPath', ...files], options, (error, _stdout, stderr) => {
      try {
        const { testResults } = JSON.parse(readFileSync(result, 'utf8'));
        rmSync(result);
        resolve(new Map(testResults.map((one) => [relative(tree, one.name), one])));
      } catch {
        reject(error ?? new Error(stderr));
      }
    });
    started(child);
  });
}

/** The test files that reach each control, quick ones first. */
async function reachedIn({ files, env, ...place }) {
  const { tree } = place;
  const notes = join(tree, 'test', 'reached.txt');
  writeFileSync(notes, '');
  const reports = await tested({ ...place, files, env: { ...env, STRONGROOM_REACHED: notes } });
  const failed = [...reports].filter(([, { status }]) => status !== 'passed').map(([file]) => file);
  if (failed.length > 0) throw new Error(`with every control, these tests fail: ${failed.join(', ')}`);
  const costOf = (file) => reports.get(file).endTime - reports.get(file).startTime;
  const reached = new Map();
  for (const line of readFileSync(notes, 'utf8').split('\n').filter(Boolean)) {
    const [number, path] = line.split(' ');
    const file = relative(tree, path);
    if (reports.has(file)) reached.set(Number(number), (reached.get(Number(number)) ?? new Set()).add(file));
  }
  return new Map([...reached].map(([number, own]) => [number, [...own].sort((a, b) => costOf(a) - costOf(b))]));
}

const copyFor = (file) => file.replace(/\.test\.ts$/, '.controls.test.ts');

/** Within a control, no test or preparation runs after the first failed test. */
const BAIL = `
  let __isCaught = false;
  const __once = (run) => async (...given) => {
    if (__isCaught) return;
    try { await run(...given); } catch (error) { __isCaught = true; throw error; }
  };
  const { test: __test, beforeAll: __beforeAll, beforeEach: __beforeEach } = globalThis;
  const __each = (table) => (name, run, limit) => __test.each(table)(name, __once(run), limit);
  const test = Object.assign((name, run, limit) => __test(name, __once(run), limit), { each: __each });
  const beforeAll = (run, limit) => __beforeAll(__once(run), limit);
  const beforeEach = (run, limit) => __beforeEach(__once(run), limit);
`;

/** The tests of a file once for each of these controls, which is off meanwhile. The modules of the file are loaded only once. */
export function repeatedTests(text, numbers) {
  const source = ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest, true);
  const end = Math.max(0, ...source.statements.filter(ts.isImportDeclaration).map((one) => one.getEnd()));
  return `${text.slice(0, end)}
describe.each(${JSON.stringify(numbers)})('%d', (__off) => {${BAIL}
  __beforeAll(() => { globalThis.strongroomControlOff = __off; });
  afterAll(() => { globalThis.strongroomControlOff = undefined; });
${text.slice(end)}
});`;
}

/**
 * Runs the next test file of each control that no test has noticed so far. Returns the outcomes by the number of the control.
 */
async function nextRound({ waiting, round, ...place }) {
  const { tree } = place;
  const byFile = new Map();
  for (const { number, files } of waiting) byFile.set(files[round], [...(byFile.get(files[round]) ?? []), number]);
  for (const [file, numbers] of byFile)
    writeFileSync(join(tree, copyFor(file)), repeatedTests(readFileSync(join(tree, file), 'utf8'), numbers));
  try {
    const reports = await tested({ ...place, files: [...byFile.keys()].map(copyFor) });
    const outcomes = [...byFile].flatMap(([file, numbers]) => {
      const results = reports.get(copyFor(file))?.assertionResults ?? [];
      return numbers.map((number) => {
        const own = results.filter(({ ancestorTitles }) => ancestorTitles[0] === String(number));
        const failed = own.find(({ status }) => status === 'failed');
        return [number, { isFailed: failed !== undefined || own.length === 0, failed: failed && `${file}: ${failed.title}` }];
      });
    });
    return new Map(outcomes);
  } finally {
    for (const file of byFile.keys()) rmSync(join(tree, copyFor(file)));
  }
}

const nameOf = ({ number, path, line, what }) => `${number} ${path}:${line} ${what.slice(0, 100)}`;

/** Prints a line for each control, a table by folder, and the survivors. `started` gets each process. Returns the exit code. */
export async function tryFleetControls({ root, parts, args, started }) {
  const { values } = parseArgs({
    args,
    options: {
      from: { type: 'string', default: '1' },
      to: { type: 'string', default: '100000' },
      named: { type: 'string', default: '' },
      tests: { type: 'string', default: '' },
      workers: { type: 'string', default: String(availableParallelism()) },
    },
  });
  const say = (line) => process.stdout.write(`${line}\n`);
  const folders = FLEET_FOLDERS.map((folder) => folder.replaceAll('/', sep));
  const all = controlsOf(root, folders, true);
  const listed = standingTwiceIn(root, folders);
  const chosen = all.filter(
    ({ number, path }) => number >= Number(values.from) && number <= Number(values.to) && path.includes(values.named),
  );
  const postgres = testPostgres({ bin: parts.postgresBin, env: process.env });
  const tree = copyOf(root, all);
  const outcomes = [];
  const settle = (control, { isFailed, failed }, tests) => {
    const isCaught = failed !== undefined;
    const { verdict, isSurvivor } = verdictOn({ ...control, isCaught, isFailed }, listed);
    say(`${verdict} | ${nameOf(control)} | ${failed ?? `${tests} test files reach it`}`);
    outcomes.push({ control, verdict, isSurvivor, isCaught });
  };
  try {
    await build(tree);
    const needsDatabase = chosen.some(({ path }) => path.startsWith(NEEDING_DATABASE));
    const env = testVariables(parts, needsDatabase ? await postgres.start() : '');
    const place = { tree, env, started, workers: values.workers };
    const testFolders = needsDatabase ? [...TESTS, ...DATABASE_TESTS] : TESTS;
    const files = testFolders
      .flatMap((folder) => testsUnder(tree, folder))
      .filter((file) => !LEFT_OUT.includes(file) && file.includes(values.tests));
    const reached = await reachedIn({ ...place, files });
    say(`${chosen.length} of ${all.length} controls, each removed alone`);
    let waiting = chosen.map((control) => ({ control, number: control.number, files: reached.get(control.number) ?? [] }));
    for (let round = 0; waiting.length > 0; round += 1) {
      for (const { control, files: own } of waiting.filter((one) => one.files.length <= round))
        settle(control, { isFailed: false }, own.length);
      waiting = waiting.filter((one) => one.files.length > round);
      if (waiting.length === 0) break;
      const found = await nextRound({ ...place, waiting, round });
      for (const { control, files: own } of waiting.filter(({ number }) => found.get(number).isFailed))
        settle(control, found.get(control.number), own.length);
      waiting = waiting.filter(({ number }) => !found.get(number).isFailed);
    }
  } finally {
    await postgres.stop();
    rmSync(tree, { recursive: true, force: true });
  }
  for (const folder of folders) {
    const own = outcomes.filter(({ control }) => control.path.startsWith(`${folder}${sep}`));
    const [caught, survived] = [own.filter(({ isCaught }) => isCaught).length, own.filter(({ isSurvivor }) => isSurvivor).length];
    say(`${folder} | ${own.length} controls | ${caught} red | ${own.length - caught - survived} twice | ${survived} survived`);
  }
  const survivors = outcomes.filter(({ isSurvivor }) => isSurvivor);
  for (const { control } of survivors) say(`  ${nameOf(control)}`);
  const caught = outcomes.filter(({ isCaught }) => isCaught).map(({ control }) => control);
  const outdated = outdatedIn(listed, { all, caught });
  for (const { path, condition } of outdated) say(`outdated | ${path} ${condition}`);
  return survivors.length + outdated.length === 0 ? 0 : 1;
}

const testsUnder = (tree, folder) =>
  filesUnder(tree, folder.replaceAll('/', sep)).filter((file) => /(?<!\.nightly)\.test\.ts$/.test(file));
