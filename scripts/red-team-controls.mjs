// Removes the checks of the signer's judgement one at a time in a copy of the code, and attacks the copy.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const JUDGING = [join('signer', 'judging', 'people'), join('signer', 'judging', 'requests'), join('signer', 'charters')];
/** The source of the signer, without the other programs. */
const SOURCES = ['domain', 'policy', 'platform', 'chains', 'signer', 'scripts'];
const FILES = ['boundaries.cjs', 'package.json', 'package-lock.json', 'tsconfig.json'];
/** The functions that throw unless a condition holds, with the position of the condition among the arguments. */
const ASSERTS = {
  refuseUnless: 0,
  assertAsked: 0,
  assertFleet: 1,
  refuseUnlessAllowed: 0,
  refuseOnDeviceUnless: 0,
};
const AND = ts.SyntaxKind.AmpersandAmpersandToken;
const OR = ts.SyntaxKind.BarBarToken;
const LIMIT_MS = 300_000;
const STANDING_TWICE = join('red-team', 'standing-twice.json');

export const filesUnder = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();

/** The parts of `a && b && c` or of `a || b || c`, or the whole condition. */
function partsOf(node, kind) {
  if (ts.isParenthesizedExpression(node)) return partsOf(node.expression, kind);
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== kind) return [node];
  return [...partsOf(node.left, kind), ...partsOf(node.right, kind)];
}

const isRefusing = (node, isWide) => {
  const statement = ts.isBlock(node) && node.statements.length === 1 ? node.statements[0] : node;
  if (ts.isThrowStatement(statement)) return true;
  if (!ts.isReturnStatement(statement)) return false;
  return statement.expression?.kind === ts.SyntaxKind.FalseKeyword || (isWide && statement.expression?.getText() === 'undefined');
};

function resultOf(node, isWide) {
  if (ts.isReturnStatement(node)) return node.expression;
  if (ts.isArrowFunction(node)) return node.body;
  const isNamed = isWide && ts.isVariableDeclaration(node) && /^(?:is|are|has)[A-Z]|^fitting$/.test(node.name.getText());
  return isNamed ? node.initializer : undefined;
}

/**
 * Each condition on which a refusal depends, with the constant that switches it off. With `isWide` also the parts of a named
 * condition, each part of `a || b` before a refusal, and the conditions under which nothing is returned.
 */
export function controlsIn(path, text, isWide = false) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, always) => {
    // This throws always, and is no condition.
    if (node.kind === ts.SyntaxKind.FalseKeyword) return;
    const start = node.getStart(source);
    const { line } = source.getLineAndCharacterOfPosition(start);
    found.push({ path, line: line + 1, start, end: node.getEnd(), always, what: node.getText(source).replace(/\s+/g, ' ') });
  };
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && Object.hasOwn(ASSERTS, node.expression.text))
      for (const part of partsOf(node.arguments[ASSERTS[node.expression.text]], AND)) add(part, 'true');
    if (ts.isIfStatement(node) && !node.elseStatement && isRefusing(node.thenStatement, isWide))
      for (const part of isWide ? partsOf(node.expression, OR) : [node.expression]) add(part, 'false');
    const returned = resultOf(node, isWide);
    if (returned && !ts.isBlock(returned)) {
      const parts = partsOf(returned, AND);
      if (parts.length > 1) for (const part of parts) add(part, 'true');
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Each condition in these folders, with the text of its file and its number for `--from` and `--to`. */
export function controlsOf(root, folders = JUDGING, isWide = false) {
  const all = folders
    .flatMap((folder) => filesUnder(root, folder))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return controlsIn(path, text, isWide).map((control) => ({ ...control, text }));
    });
  return all.map((control, at) => ({ ...control, number: at + 1 }));
}

/**
 * The entries of `standing-twice.json` about files in these folders. The file lists controls that a second check repeats.
 * `condition` is the text of a control in the file `path`.
 */
export const standingTwiceIn = (root, folders = JUDGING) =>
  JSON.parse(readFileSync(join(root, STANDING_TWICE), 'utf8')).filter(({ path }) =>
    folders.some((folder) => path.startsWith(`${folder}/`)),
  );

const isAbout =
  ({ path, what }) =>
  (entry) =>
    entry.path === path && entry.condition === what;

/**
 * The result of the run. Either an attack caught the removal, or an entry of `listed` explains why no attack can catch the
 * removal, or the control survives. A run that fails without a successful attack proves nothing.
 */
export function verdictOn({ isCaught, isFailed, ...control }, listed) {
  if (isCaught) return { verdict: 'caught', isSurvivor: false };
  if (isFailed) return { verdict: 'FAILED OTHERWISE', isSurvivor: true };
  const entry = listed.find(isAbout(control));
  return entry ? { verdict: `stands twice: ${entry.reason}`, isSurvivor: false } : { verdict: 'SURVIVED', isSurvivor: true };
}

/** The entries that do not match any control in the code, or a control whose removal was caught. */
export const outdatedIn = (listed, { all, caught }) =>
  listed.filter((entry) => !all.some((control) => isAbout(control)(entry)) || caught.some((control) => isAbout(control)(entry)));

function copyOf(root) {
  const tree = mkdtempSync(join(tmpdir(), 'strongroom-controls-'));
  for (const folder of SOURCES) cpSync(join(root, folder), join(tree, folder), { recursive: true });
  for (const file of FILES) cpSync(join(root, file), join(tree, file));
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

const GROUPS = [
  ['charters', 'operations,evidence,restrictions'],
  ['requests', 'fields,contents,evidence'],
  ['approved-groups', 'forbidden,layers'],
  ['signed-action', 'contents,evidence,forbidden,layers'],
  ['passkey-assertion', 'forbidden'],
  ['same-envelope', 'forbidden'],
  ['judge-release', 'operations'],
  ['sent-units', 'forbidden'],
  ['', 'contents,evidence,forbidden,operations'],
];

/** The attacks that can notice a missing control of this file. */
const groupsFor = (path) => GROUPS.find(([word]) => path.includes(word))[1];

/** Attacks the signer of the tree until the first success, and returns the line about the success. */
const attacked = ({ tree, program, root, attempts, seed, path }) =>
  new Promise((resolve) => {
    const signer = join(tree, 'dist', 'signer', 'main.js');
    const words = [
      program,
      '--program',
      signer,
      '--stops',
      '--seed',
      seed,
      '--attempts',
      attempts,
      '--minutes',
      '5',
      '--groups',
      groupsFor(path),
    ];
    execFile(process.execPath, words, { cwd: root, timeout: LIMIT_MS, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const lines = `${stdout}${stderr}`.trim().split('\n');
      const success = lines.find((line) => line.startsWith('  attempt '));
      resolve({ isCaught: error !== null && success !== undefined, line: success ?? lines.at(-1), isFailed: error !== null });
    });
  });

/** Prints a line for each control, and then the survivors. Returns the exit code. */
export async function tryControls({ root, program, build, args }) {
  const { values } = parseArgs({
    args,
    options: {
      from: { type: 'string', default: '1' },
      to: { type: 'string', default: '100000' },
      attempts: { type: 'string', default: '2500' },
      seed: { type: 'string', default: 'controls' },
      named: { type: 'string', default: '' },
    },
  });
  const tree = copyOf(root);
  const native = join('dist', 'signer', 'native');
  const say = (line) => process.stdout.write(`${line}\n`);
  const [survivors, caught] = [[], []];
  const all = controlsOf(root);
  const listed = standingTwiceIn(root);
  try {
    const chosen = all.filter(
      ({ number, path }) => number >= Number(values.from) && number <= Number(values.to) && path.includes(values.named),
    );
    say(`${chosen.length} of ${all.length} controls, each removed alone`);
    await build(tree);
    cpSync(join(root, native), join(tree, native), { recursive: true });
    // If a run succeeds against the unchanged signer, later successes prove nothing about the removed checks.
    for (const path of new Map(chosen.map(({ path }) => [groupsFor(path), path])).values()) {
      const { isFailed, line } = await attacked({ tree, program, root, path, ...values });
      if (!isFailed) continue;
      say(`with every control | ${line}`);
      return 1;
    }
    for (const control of chosen) {
      const { number, path, text, line, start, end, always, what } = control;
      writeFileSync(join(tree, path), `${text.slice(0, start)}(${always})${text.slice(end)}`);
      await build(tree);
      const outcome = await attacked({ tree, program, root, path, ...values });
      const name = `${number} ${path}:${line} ${what.slice(0, 100)}`;
      const { verdict, isSurvivor } = verdictOn({ ...control, ...outcome }, listed);
      say(`${verdict} | ${name} | ${outcome.line}`);
      if (isSurvivor) survivors.push(name);
      if (outcome.isCaught) caught.push(control);
      writeFileSync(join(tree, path), text);
    }
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
  say(`${survivors.length} survivors`);
  for (const name of survivors) say(`  ${name}`);
  const outdated = outdatedIn(listed, { all, caught });
  for (const { path, condition } of outdated) say(`outdated in ${STANDING_TWICE} | ${path} ${condition}`);
  return survivors.length + outdated.length === 0 ? 0 : 1;
}
