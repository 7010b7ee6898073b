import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canonical } from '../../platform/canonical';
import { assertCeremonyOutput } from '../../platform/fleets/assert-output';
import { type Card, cardDigest } from '../../platform/fleets/cards';
import { shortDigest } from '../../platform/fleets/statement';
import { ROOT } from '../support/compose';
import { fleetInput, genesisTask } from '../support/fleet-outputs';
import { createParty } from '../support/fleet-parties';

jest.setTimeout(120_000);
const NAME = 'strongroom-offline-signer.mjs';
const BUILT = join(ROOT, 'dist', NAME);
const PIN = 'a long sentence of this machine';
/** The only modules that the program may load. None of them opens a connection or starts a program. */
const LOADED = ['crypto', 'fs', 'module', 'path', 'process', 'readline', 'stream', 'util'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'offline-signer-main-'));
  // The file is the only one in its folder, as on a machine without a network.
  cpSync(BUILT, join(folder, NAME));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (typed: readonly string[], ...words: readonly string[]) =>
  spawnSync(process.execPath, [NAME, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: {},
    input: typed.map((one) => `${one}\n`).join(''),
  });
const textIn = (path: string): string => readFileSync(join(folder, path), 'utf8');

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

test('the file loads only these modules of Node', () => {
  const text = readFileSync(BUILT, 'utf8');
  const named = [...text.matchAll(/(?:require\(|from |import\()"(?:node:)?([a-z0-9_/]+)"/g)].map(([, name = '']) => name);
  expect([...new Set(named)].filter((name) => builtinModules.includes(name)).sort()).toEqual(LOADED);
  expect(text).not.toMatch(/process\.(?:binding|dlopen)|\bfetch\(|WebSocket\(|XMLHttpRequest/);
});

test('the build writes the digest of the file, which does not depend on the place of the clone', () => {
  expect(readFileSync(`${BUILT}.sha256`, 'utf8')).toBe(`${digestOf(BUILT)}  ${NAME}\n`);
  const manifest = JSON.parse(readFileSync(join(ROOT, 'dist', '.build.json'), 'utf8')) as {
    programs: Record<string, { files: string[] }>;
  };
  const other = join(folder, 'another', 'clone');
  for (const file of manifest.programs['offline-signer']?.files ?? []) {
    mkdirSync(dirname(join(other, file)), { recursive: true });
    cpSync(join(ROOT, file), join(other, file));
  }
  const source = `const { bundleProgram } = await import('${ROOT}/scripts/program-files.mjs'); await bundleProgram('${other}', '${other}/dist', 'offline-signer');`;
  execFileSync(process.execPath, ['--input-type=module', '-e', source], { cwd: other });
  expect(digestOf(join(other, 'dist', NAME))).toBe(digestOf(BUILT));
});

test('help exits with 0, a refusal with 1, and a usage error with 2', () => {
  expect(run([], '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('clone-export --in <input>') });
  expect(run([PIN], 'show', '--folder', 'none')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^REFUSED: This folder/),
  });
  for (const words of [
    [],
    ['constructor'],
    ['show'],
    ['genesis', '--nonsense'],
    ['identity', '--folder', 'x', '--role', 'king', '--serial', 'K'],
  ])
    expect(run([], ...words)).toMatchObject({ status: 2, stdout: '' });
});

function makeIdentity(role: string, serial: string): Card {
  const made = run([PIN, PIN], 'identity', '--role', role, '--serial', serial, '--folder', serial, '--out', `${serial}-card`);
  expect(made).toMatchObject({ status: 0, stderr: '' });
  return JSON.parse(textIn(`${serial}-card/card.json`)) as Card;
}

test('the program makes a genesis on a terminal, and records what people saw and typed', async () => {
  const signer = createParty('Operator', 'signer');
  makeIdentity('device', 'D-1');
  const cards = [makeIdentity('provisioner', 'P-1'), makeIdentity('provisioner', 'P-2'), makeIdentity('operator', 'M-1')];
  const input = fleetInput(genesisTask({ secp256k1: 2, ed25519: 2 }, 2), null);
  writeFileSync(join(folder, 'input.json'), canonical({ input, signed: signer.state('input', input) } as never));
  const files = [
    '--provisioner',
    'P-1-card/card.json',
    '--provisioner',
    'P-2-card/card.json',
    '--operator',
    'M-1-card/card.json',
  ];
  const words = ['genesis', '--folder', 'D-1', '--in', 'input.json', ...files];
  const fingerprints = [shortDigest(signer.by), ...cards.map((card) => shortDigest(cardDigest(card)))];
  const rolls = '123456'.repeat(9);
  const wrong = run([PIN, ...fingerprints.toReversed(), rolls], ...words, '--out', 'wrong');
  expect(wrong).toMatchObject({ status: 1, stderr: expect.stringContaining('This is not the fingerprint of the signer') });
  const made = run([PIN, ...fingerprints, rolls], ...words, '--out', 'made');
  expect(made).toMatchObject({ status: 0, stderr: '' });
  const [outputJson, file] = [JSON.parse(textIn('made/output.json')) as unknown, textIn('made/output-file.json')];
  const { keys } = await assertCeremonyOutput({ input, outputJson, file, head: null, knownKeys: new Set() });
  expect(keys).toHaveLength(4);
  const [record = ''] = readdirSync(join(folder, 'made')).filter((name) => name.startsWith('record-genesis'));
  for (const text of ['D-1', 'P-1', "m/20000'/0'", ...fingerprints, '(54 characters, not recorded)', 'Outcome        done'])
    expect(textIn(`made/${record}`)).toContain(text);
  for (const secret of [rolls, PIN]) expect(textIn(`made/${record}`)).not.toContain(secret);
  const again = run([PIN], ...words, '--out', 'again');
  expect([again.status, textIn('again/output-file.json')]).toEqual([0, file]);
  const shown = run([PIN], 'show', '--folder', 'D-1');
  expect(shown.stdout).toContain('Pending');
  const share = run([PIN, ''], 'take-share', '--folder', 'P-1', '--file', 'made/output-file.json');
  expect(share.stderr).toContain('This is not the fingerprint of the manifest');
});

test('an archive can travel as frames', () => {
  writeFileSync(join(folder, 'any.json'), '{"a":1}');
  expect(run([], 'frames', '--in', 'any.json', '--out', 'frames').status).toBe(0);
  expect(run([], 'join', '--in', 'frames/frames.txt', '--out', 'joined').status).toBe(0);
  expect(textIn('joined/joined.json')).toBe('{"a":1}');
});
