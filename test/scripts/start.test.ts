import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAll, ended, inline, ROOT, run, SCRIPTS, said, start } from './script';

const START = [join(SCRIPTS, 'start.mjs')];
const RESET = [join(SCRIPTS, 'reset.mjs')];
const HOLD_LOCK = (file: string) =>
  inline(`import { takeLock } from '${SCRIPTS}/supervisor/lock.mjs';
await takeLock('${file}', { taken: () => 'taken' }); console.log('held'); setInterval(() => {}, 1000);`);

jest.setTimeout(60_000);
let data: string;

afterAll(endAll);
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'strongroom-start-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** An environment with ports that no running trial on this machine uses, and that `freePort` never hands out. */
const env = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  STRONGROOM_DATA: data,
  PORT_OFFSET: '9000',
  STRONGROOM_CACHE: process.env.STRONGROOM_CACHE,
  ...more,
});

const sentences: readonly [string, NodeJS.ProcessEnv, RegExp][] = [
  ['a port that is not a number', { PORT: 'web' }, /^PORT must be a whole number from 1 to 65535, not "web"\.$/m],
  ['two parts on one port', { PORT: '24000', CHAIN_PORT: '24000' }, /PORT and CHAIN_PORT are both 24000; set one of them/],
  [
    'a data folder that cannot be created',
    { STRONGROOM_DATA: '/proc/strongroom' },
    /\/proc\/strongroom cannot be written \(\w+\); set STRONGROOM_DATA/,
  ],
  [
    'only one of four database addresses',
    { DATABASE_URL: 'postgres://x' },
    /DATABASE_URL without WORKER_DATABASE_URL and RELAY_DATABASE_URL and OWNER_DATABASE_URL: set all four/,
  ],
  [
    'a missing Temporal program',
    { TEMPORAL_CLI_PATH: '/nowhere/temporal' },
    /TEMPORAL_CLI_PATH names no executable file: \/nowhere\/temporal/,
  ],
  [
    'a missing anvil',
    { ANVIL_PATH: '/nowhere/anvil', TEMPORAL_ADDRESS: '127.0.0.1:1' },
    /ANVIL_PATH names no executable file: \/nowhere\/anvil/,
  ],
];

test.each(sentences)(
  '%s ends the start with a sentence that contains the variable, and leaves no file',
  async (_title, given, sentence) => {
    const { code, output } = await run(START, env(given));
    expect(output).toMatch(sentence);
    expect(output).not.toMatch(/\n {4}at /); // no stack
    expect(code).toBe(1);
    expect(readdirSync(data)).toEqual([]);
  },
);

test.each([
  [['--with', 'dogecoin'], 'There is no local network dogecoin. It accepts bitcoin, '],
  [['--with'], '--with needs a name. It accepts bitcoin'],
  [['--wiht=bitcoin'], 'There is no option --wiht=bitcoin; `--with` is the only one.'],
])('%j is refused with a sentence that lists the valid values', async (args, sentence) => {
  const { code, output } = await run([...START, ...args], env());
  expect(output).toContain(sentence);
  expect(code).toBe(1);
  expect(readdirSync(data)).toEqual([]);
});

test('a port in use is reported with its role and its variable', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const { code, output } = await run(START, env({ CHAIN_PORT: String(port) }));
  server.close();
  expect(output).toContain(`Port ${port} (the local chain) is in use; set CHAIN_PORT to another port`);
  expect(code).toBe(1);
});

test('a port that browsers never call is refused', async () => {
  const { code, output } = await run(START, env({ PORT: '6000' }));
  expect(output).toContain('Port 6000 (the API) is one that browsers and fetch never call; set PORT to another port');
  expect(code).toBe(1);
});

test('while an instance uses a data folder, a second instance and a reset are refused', async () => {
  const holder = start(HOLD_LOCK(join(data, 'lock')));
  await said(holder, /held/);
  const second = await run(START, env());
  expect(second).toMatchObject({ code: 1, output: expect.stringContaining(`already runs on ${data} (process ${holder.pid})`) });
  expect(second.output).toContain('set STRONGROOM_DATA');
  expect(await run([...RESET, '--yes'], env())).toMatchObject({ code: 1, output: expect.stringContaining('stop it first') });
  const gone = ended(holder);
  holder.kill('SIGKILL');
  await gone;
  expect((await run([...RESET, '--yes'], env())).code).toBe(0);
});

test('a start takes over a lock if another process now has the process number of its holder', async () => {
  const file = join(data, 'lock');
  writeFileSync(file, JSON.stringify({ pid: process.pid, started: 'before the last boot' }));
  const holder = start(HOLD_LOCK(file));
  await said(holder, /held/);
  holder.kill('SIGKILL');
});

test('if ten processes find an abandoned lock at once, exactly one of them takes the lock', async () => {
  const file = join(data, 'lock');
  writeFileSync(file, JSON.stringify({ pid: 4_000_000, started: 'long ago' }));
  const once = inline(`import { takeLock } from '${SCRIPTS}/supervisor/lock.mjs';
await takeLock('${file}', { taken: () => 'taken' }).then(() => console.log('won'), (error) => console.log(error.message));
process.stdin.resume(); setTimeout(() => {}, 4000);`);
  const outputs = await Promise.all(Array.from({ length: 10 }, () => run(once)));
  expect(outputs.filter(({ output }) => output.includes('won'))).toHaveLength(1);
  expect(outputs.filter(({ output }) => output.includes('taken'))).toHaveLength(9);
});

test('a start on a nearly full disk is refused before a file is written', async () => {
  const mount = `mount -t tmpfs -o size=4m none ${data} && exec ${process.execPath} ${START[0]}`;
  const unshare = ['unshare', '--user', '--map-root-user', '--mount', '/bin/sh', '-c', mount];
  const { code, output } = await run([], env(), unshare);
  expect(output).toMatch(/nearly full: \d+ MiB free, 500 MiB needed; make room or set STRONGROOM_DATA/);
  expect(code).toBe(1);
});

test.each([
  ['20.18.3', false],
  ['20.19.0', true],
  ['18.20.0', false],
  ['26.0.0', true],
])('Node %s is new enough: %s', async (version, good) => {
  const check = inline(`import { checkNode } from '${SCRIPTS}/prepare/node.mjs'; checkNode('${version}');`);
  const { code, output } = await run(check);
  expect(code === 0).toBe(good);
  if (!good) expect(output).toContain(`Node ${version} is too old: Strongroom needs Node 20.19 or newer`);
});

test('reset without a terminal requires --yes, and deletes only files that a start creates', async () => {
  mkdirSync(join(data, 'postgres'));
  writeFileSync(join(data, 'first-run.json'), '{}');
  writeFileSync(join(data, 'thesis.txt'), 'mine');
  expect(await run(RESET, env())).toMatchObject({ code: 1, output: expect.stringContaining('--yes') });
  expect(readdirSync(data).sort()).toEqual(['first-run.json', 'postgres', 'thesis.txt']);
  const done = await run([...RESET, '--yes'], env());
  expect(done).toMatchObject({ code: 0, output: expect.stringContaining('kept what is not ours: thesis.txt') });
  expect(readdirSync(data)).toEqual(['thesis.txt']);
});

test('reset deletes all files of a start, including its socket folders, and no file of another data folder', async () => {
  const script = inline(`import { checkDataFolder, makeRuntimeFolder } from '${SCRIPTS}/supervisor/preflight.mjs';
import { rememberPorts } from '${SCRIPTS}/supervisor/data-folder.mjs';
import { ensureDatabasePasswords, ensureSecrets } from '${SCRIPTS}/supervisor/secrets.mjs';
import { readSettings } from '${SCRIPTS}/supervisor/settings.mjs';
const { dataFolder } = readSettings('${ROOT}', process.env);
checkDataFolder(dataFolder); rememberPorts(readSettings('${ROOT}', process.env));
ensureSecrets(dataFolder); ensureDatabasePasswords(dataFolder); console.log(makeRuntimeFolder(dataFolder));`);
  const sockets = (await run(script, env())).output.trim();
  const others = (await run(script, env({ STRONGROOM_DATA: join(data, 'another') }))).output.trim();
  for (const name of ['postgres', 'temporal', 'chain', 'networks/bitcoin', 'signer', 'mails']) {
    mkdirSync(join(data, name), { recursive: true });
    writeFileSync(join(data, name, 'content'), '');
  }
  for (const name of ['first-run.json', 'first-run.json.partial', 'lock.stale.17']) writeFileSync(join(data, name), '{}');
  expect([existsSync(sockets), existsSync(others)]).toEqual([true, true]);
  expect(await run([...RESET, '--yes'], env())).toMatchObject({ code: 0 });
  expect([readdirSync(data), existsSync(sockets), existsSync(others)]).toEqual([['another'], false, true]);
  expect((await run([...RESET, '--yes'], env({ STRONGROOM_DATA: join(data, 'another') }))).code).toBe(0);
  expect([readdirSync(data), existsSync(others)]).toEqual([[], false]);
});

test('reset does not delete anything in a folder that no start has used, whatever the names of its subfolders', async () => {
  for (const name of ['mails', 'chain', 'secrets', 'temporal']) mkdirSync(join(data, name));
  const { output } = await run([...RESET, '--yes'], env());
  expect(output).toContain('kept what is not ours: chain, mails, secrets, temporal');
  expect(readdirSync(data).sort()).toEqual(['chain', 'mails', 'secrets', 'temporal']);
});

test('reset is refused while Postgres still runs in the folder, even after the end of the start that launched it', async () => {
  const cluster = join(data, 'postgres');
  mkdirSync(cluster);
  writeFileSync(join(data, 'ports.json'), '{}');
  copyFileSync('/bin/sleep', join(data, 'postgres', 'postgres'));
  const working = spawn(join(cluster, 'postgres'), ['60'], { cwd: cluster, stdio: 'ignore' });
  await once(working, 'spawn');
  const refused = await run([...RESET, '--yes'], env());
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringContaining(`Postgres (process ${working.pid}) still runs on`),
  });
  const gone = once(working, 'close');
  working.kill('SIGKILL');
  await gone;
  expect((await run([...RESET, '--yes'], env())).code).toBe(0);
});

test('if every way to obtain a component fails, the message lists the attempts and the variables to set', async () => {
  const tries = inline(`import { findTemporal } from '${SCRIPTS}/prepare/temporal.mjs';
globalThis.fetch = async () => { throw Object.assign(new Error(), { cause: { code: 'ENOTFOUND' } }); };
await findTemporal({ root: '${ROOT}', cacheFolder: '${data}', env: { PATH: '' } }).catch((error) => console.log(error.message));`);
  const { output } = await run(tries);
  for (const part of [
    'temporal on PATH: nothing there',
    'cache: nothing there',
    'temporal.download does not answer (ENOTFOUND)',
  ]) {
    expect(output).toContain(part);
  }
  expect(output).toContain('Set TEMPORAL_CLI_PATH');
});
