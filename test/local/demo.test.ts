import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'demo-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const demo = () =>
  spawnSync(process.execPath, [join('scripts', 'demo.mjs')], {
    cwd: ROOT,
    env: { ...process.env, STRONGROOM_DATA: data },
    encoding: 'utf8',
  });

test('without a first-run file the demo says in one sentence what to start', () => {
  const { status, stderr } = demo();
  expect(status).toBe(1);
  expect(stderr.trim()).toMatch(
    /^\S*first-run\.json does not exist: start the service with `npm start` in another shell first\.$/,
  );
});

test('with nobody listening the demo says where it asked', () => {
  const nobody = 'http://127.0.0.1:1';
  const firstRun = { baseUrl: nobody, temporalUiUrl: nobody, users: [], chains: {} };
  writeFileSync(join(data, 'first-run.json'), JSON.stringify(firstRun));
  const { status, stderr } = demo();
  expect(status).toBe(1);
  expect(stderr.trim()).toBe(`Nothing answers at ${nobody}: start the service with \`npm start\` in another shell first.`);
});
