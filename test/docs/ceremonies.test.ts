import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stepsOf } from '../../local/fleets/page';
import { MACHINE_COMMANDS } from '../../offline-signer/commands';
import { CEREMONIES_PAGE, patternOf, savedInputs } from '../support/ceremony-page';
import { CeremonyWalk } from '../support/ceremony-walk';
import { ROOT } from '../support/compose';
import { runInProcess } from '../support/run-in-process';

jest.setTimeout(60_000);
const walk = new CeremonyWalk(CEREMONIES_PAGE, runInProcess);
beforeAll(() => walk.walk());
afterAll(() => walk.remove());

test('the commands of the page lead from the genesis to the recovery, and the service accepts each output', () => {
  expect(walk.service.isIdle()).toBe(true);
  expect(walk.service.signed).toEqual({ OnchainSign: 20, ProofOfControl: 1 });
  const head = walk.service.head();
  expect(head).toMatchObject({ threshold: 3, ranges: { secp256k1: 60, ed25519: 55 } });
  expect(head?.devices.map(({ serial }) => serial)).toEqual(['D-1', 'D-2', 'D-3']);
  expect(head?.provisioners.map(({ serial }) => serial)).toEqual(['P-1', 'P-2', 'P-3', 'P-4']);
});

test('the page shows the screens as people see them', () => {
  expect(walk.unseen).toEqual([]);
});

test('the page shows every command of the program', () => {
  const shown = new Set(walk.done);
  const named = Object.keys(MACHINE_COMMANDS).filter((name) => !shown.has(name) && !CEREMONIES_PAGE.includes(`\`${name}\``));
  expect(named).toEqual([]);
});

test('every input of the page is saved to a place that the commands read', () => {
  const read = stepsOf(CEREMONIES_PAGE).flatMap((step) => (step.kind === 'command' ? step.words : []));
  expect(savedInputs(CEREMONIES_PAGE).filter((path) => !read.includes(path))).toEqual([]);
});

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesIn(path);
    return entry.name.endsWith('.ts') ? [readFileSync(path, 'utf8')] : [];
  });

test('the program has every message that the page explains', () => {
  const [, table = ''] = CEREMONIES_PAGE.split('| The screen says | Do |\n');
  const messages = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message = '']) => message);
  const source = sourcesIn(join(ROOT, 'offline-signer'))
    .join('\n')
    .replaceAll(/\$\{[^}]*\}/g, '…');
  expect(messages.length).toBeGreaterThan(8);
  expect(messages.filter((message) => !patternOf(`…${message}…`).test(source.replaceAll('\n', ' ')))).toEqual([]);
});
