import { spawn } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../supervisor/ports.mjs';
import { cached, isExecutable, onPath } from './cache.mjs';
import { downloadTemporal } from './download.mjs';
import { Refusal, run } from './run.mjs';
import { announce, firstThatWorks } from './step.mjs';

/** Must agree with tools/temporal-test-server/pom.xml. */
const VERSION = '1.38.0';
const MAVEN_WITHIN_MS = 10 * 60_000;
const ARCHIVE_WITHIN_MS = 60_000;

/** Finds or fetches Temporal's time-skipping server, which only the tests need. */
export async function findTestServer({ root, cacheFolder, env }) {
  if (env.TEMPORAL_TEST_SERVER_PATH) {
    const path = env.TEMPORAL_TEST_SERVER_PATH;
    if (isExecutable(path)) return { detail: `TEMPORAL_TEST_SERVER_PATH (${path})`, value: path };
    throw new Refusal(`TEMPORAL_TEST_SERVER_PATH names no executable file: ${path}`);
  }
  const key = `temporal-test-server-${VERSION}-${process.platform}-${process.arch}`;
  const inCache = () => [join(cacheFolder, key, 'run')].find(isExecutable);
  const ways = [
    { way: 'cache', attempt: inCache },
    { way: 'official download', attempt: () => byDownload(cacheFolder, key) },
    { way: 'Maven and Java', attempt: () => byMaven(root, cacheFolder, key, env) },
  ];
  const remedy = 'Set TEMPORAL_TEST_SERVER_PATH to an executable of the Temporal test server.';
  return firstThatWorks('The time-skipping test server', ways, remedy);
}

async function byDownload(cacheFolder, key) {
  const folder = await cached(cacheFolder, key, async (partial) => {
    const program = await downloadTemporal('temporal-test-server', `v${VERSION}`, partial);
    renameSync(join(partial, program), join(partial, 'run'));
  });
  return join(folder, 'run');
}

async function byMaven(root, cacheFolder, key, env) {
  const maven = onPath('mvn', env);
  if (!maven) throw new Error('mvn is not installed');
  const java = env.JAVA_HOME ? join(env.JAVA_HOME, 'bin', 'java') : onPath('java', env);
  if (!java || !isExecutable(java)) throw new Error('java is not installed');
  announce('collecting the time-skipping test server with Maven, once: about 15 seconds');
  const folder = await cached(cacheFolder, key, async (partial) => {
    cpSync(join(root, 'tools', 'temporal-test-server', 'pom.xml'), join(partial, 'pom.xml'));
    const goal = ['-q', '-B', 'dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib'];
    await run(maven, goal, { cwd: partial, env, limitMs: MAVEN_WITHIN_MS });
    const jars = readdirSync(join(partial, 'lib')).sort();
    writeFileSync(join(partial, 'run'), wrapper(java, jars));
    chmodSync(join(partial, 'run'), 0o755);
  });
  await archiveClasses(folder).catch(() => undefined); // without the archive the server only starts more slowly
  return join(folder, 'run');
}

/**
 * The test environment kills only the process of this script, so the script uses `exec` to run Java in that process. The class
 * path names each jar, because the order of a wildcard can change, and Java refuses the class archive if the order of the jars
 * differs.
 */
function wrapper(java, jars) {
  const classPath = jars.map((jar) => `$here/lib/${jar}`).join(':');
  return `#!/bin/sh
here=$(dirname "$0")
archive=
[ -f "$here/classes.jsa" ] && archive="-XX:SharedArchiveFile=$here/classes.jsa"
exec "${java}" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xms64m -Xmx256m -Xshare:auto -Xlog:disable -Xlog:all=error:stderr \\
  $archive $TEMPORAL_TEST_SERVER_JAVA_OPTS -cp "${classPath}" io.temporal.testserver.TestServer "$@"
`;
}

/**
 * Saves the server's loaded classes for later starts. Without the archive, Java may need longer than the five seconds that the
 * test environment gives a server.
 */
async function archiveClasses(folder) {
  const port = await freePort();
  const partial = join(folder, `classes.${process.pid}.partial`);
  const env = { ...process.env, TEMPORAL_TEST_SERVER_JAVA_OPTS: `-XX:ArchiveClassesAtExit=${partial}` };
  const server = spawn(join(folder, 'run'), [String(port)], { stdio: 'ignore', env });
  const ended = new Promise((resolve) => server.once('exit', resolve).once('error', resolve));
  const timer = setTimeout(() => server.kill('SIGKILL'), ARCHIVE_WITHIN_MS);
  while (server.exitCode === null && !(await listens(port))) await delay(100);
  server.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
  try {
    renameSync(partial, join(folder, 'classes.jsa'));
  } finally {
    rmSync(partial, { force: true });
  }
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
