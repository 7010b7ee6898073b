import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from './cache.mjs';
import { run } from './run.mjs';

const VERSION_LIMIT_MS = 20_000;
const INSTALL_LIMIT_MS = 300_000;

/**
 * If the generator is not in the cache, pip installs it from PyPI, with the versions and hashes in tools/openapi-python-client.
 * Throws without `python3`, or if pip cannot install the generator.
 */
export async function findPythonGenerator({ root, cacheFolder, env }) {
  const ask = ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'];
  const { stdout: version } = await run('python3', ask, { env, limitMs: VERSION_LIMIT_MS });
  // Compiled packages fit one version of Python on one kind of machine.
  const key = `openapi-python-client-0.29.1-python-${version.trim()}-${process.platform}-${process.arch}`;
  const kept = join(cacheFolder, key);
  const folder = existsSync(kept) ? kept : await cached(cacheFolder, key, (partial) => install(root, partial, env));
  return { command: 'python3', env: { ...env, PYTHONPATH: folder } };
}

async function install(root, folder, env) {
  const requirements = join(root, 'tools', 'openapi-python-client', 'requirements.txt');
  const flags = ['--quiet', '--disable-pip-version-check', '--require-hashes', '--only-binary', ':all:'];
  const args = ['-m', 'pip', 'install', ...flags, '--target', folder, '--requirement', requirements];
  await run('python3', args, { env, limitMs: INSTALL_LIMIT_MS });
}
