import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { cached, isExecutable, onPath } from './cache.mjs';
import { downloadTemporal } from './download.mjs';
import { Refusal, run } from './run.mjs';
import { announce, firstThatWorks } from './step.mjs';

/** Must agree with tools/temporal-server/go.mod. */
const CLI_VERSION = '1.8.2';
/** The last release that `go install` can build without a go.mod of this project. */
const CLI_VERSION_LAST_RESORT = '1.5.1';
/** The service requires worker versioning and update-with-start. No older server has these features. */
const SERVER_MINIMUM = [1, 29];
const GO_BUILD_WITHIN_MS = 20 * 60_000;

const keyOf = (version) => `temporal-cli-${version}-${process.platform}-${process.arch}`;

/** Finds or builds the Temporal CLI, which contains the dev server and its UI. */
export async function findTemporal({ root, cacheFolder, env }) {
  if (env.TEMPORAL_CLI_PATH) {
    if (!isExecutable(env.TEMPORAL_CLI_PATH))
      throw new Refusal(`TEMPORAL_CLI_PATH names no executable file: ${env.TEMPORAL_CLI_PATH}`);
    const fault = await faultOf(env.TEMPORAL_CLI_PATH).catch((error) => error.message);
    if (fault) throw new Refusal(`TEMPORAL_CLI_PATH names an unsuitable program: ${fault}`);
    return { detail: `TEMPORAL_CLI_PATH (${env.TEMPORAL_CLI_PATH})`, value: env.TEMPORAL_CLI_PATH };
  }
  const ways = [
    { way: 'temporal on PATH', attempt: () => fromPath(env) },
    { way: 'cache', attempt: () => fromCache(cacheFolder) },
    { way: `official download of ${CLI_VERSION}`, attempt: () => byDownload(cacheFolder) },
    { way: `build of ${CLI_VERSION} with Go`, attempt: () => byBuild(root, cacheFolder, env) },
    { way: `go install of ${CLI_VERSION_LAST_RESORT}`, attempt: () => byInstall(cacheFolder, env) },
  ];
  const remedy = 'Set TEMPORAL_CLI_PATH to a temporal CLI of 1.5 or newer, or TEMPORAL_ADDRESS to a server that runs.';
  return firstThatWorks('The Temporal server', ways, remedy);
}

async function fromPath(env) {
  const path = onPath('temporal', env);
  if (!path) return undefined;
  const fault = await faultOf(path);
  if (fault) throw new Error(fault);
  return path;
}

function fromCache(cacheFolder) {
  const versions = [CLI_VERSION, CLI_VERSION_LAST_RESORT];
  return versions.map((version) => join(cacheFolder, keyOf(version), 'temporal')).find(isExecutable);
}

async function byDownload(cacheFolder) {
  const folder = await cached(cacheFolder, keyOf(CLI_VERSION), async (partial) => {
    const program = await downloadTemporal('cli', `v${CLI_VERSION}`, partial);
    if (program !== 'temporal') renameSync(join(partial, program), join(partial, 'temporal'));
    const fault = await faultOf(join(partial, 'temporal'));
    if (fault) throw new Error(fault);
  });
  return join(folder, 'temporal');
}

async function byBuild(root, cacheFolder, env) {
  const go = await goTool(env);
  announce('building the Temporal server with Go, once: about 4 minutes on two cores');
  const folder = await cached(cacheFolder, keyOf(CLI_VERSION), async (partial) => {
    const output = ['-o', join(partial, 'temporal'), 'github.com/temporalio/cli/cmd/temporal'];
    const args = ['build', '-mod=readonly', '-trimpath', '-ldflags', '-s -w', ...output];
    const options = { cwd: join(root, 'tools', 'temporal-server'), env: { ...env, CGO_ENABLED: '0', GOWORK: 'off' } };
    await run(go, args, { ...options, limitMs: GO_BUILD_WITHIN_MS });
  });
  return join(folder, 'temporal');
}

async function byInstall(cacheFolder, env) {
  const go = await goTool(env);
  announce(`building the Temporal server ${CLI_VERSION_LAST_RESORT} with go install, once: about 3 minutes on two cores`);
  const folder = await cached(cacheFolder, keyOf(CLI_VERSION_LAST_RESORT), async (partial) => {
    const options = { cwd: partial, env: { ...env, CGO_ENABLED: '0', GOWORK: 'off', GOBIN: partial } };
    const what = `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION_LAST_RESORT}`;
    await run(go, ['install', what], { ...options, limitMs: GO_BUILD_WITHIN_MS });
  });
  return join(folder, 'temporal');
}

export async function goTool(env) {
  const go = onPath('go', env) ?? ['/usr/local/go/bin/go', '/opt/homebrew/bin/go'].find(isExecutable);
  if (!go) throw new Error('go is not installed');
  return go;
}

/**
 * The reason why this program is unusable, or undefined. Reads the version of the server, because the project's own builds do not
 * report a version of the CLI.
 */
async function faultOf(path) {
  const { stdout } = await run(path, ['--version'], { limitMs: 20_000 });
  const found = stdout.match(/Server (\d+)\.(\d+)/);
  if (!found) return `${path} is not the Temporal CLI`;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  if (major > SERVER_MINIMUM[0] || (major === SERVER_MINIMUM[0] && minor >= SERVER_MINIMUM[1])) return undefined;
  return `${path} holds server ${major}.${minor}, older than ${SERVER_MINIMUM.join('.')}`;
}
