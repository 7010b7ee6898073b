import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Refusal } from '../prepare/run.mjs';

const run = promisify(execFile);
const HEALTHY_WITHIN_MS = 60_000;
const ASKED_EVERY_MS = 500;

const quote = (word) => `'${String(word).replaceAll("'", "'\\''")}'`;
const milliseconds = (text) => Number.parseFloat(text) * (text.endsWith('m') ? 60_000 : 1_000);

/** A shell runs these commands in the service's mount namespace before the shell switches from root to the service's user. */
function mounts(service, { root, stage, app }) {
  const lines = ['set -e', 'mount -t tmpfs tmpfs /run', 'mount -t tmpfs tmpfs /var/lib', 'mount -t tmpfs tmpfs /deploy'];
  const bind = (from, to, isFolder) => {
    lines.push(isFolder ? `mkdir -p ${quote(to)}` : `mkdir -p ${quote(join(to, '..'))} && touch ${quote(to)}`);
    lines.push(`mount --bind ${quote(from)} ${quote(to)}`);
  };
  if (app !== undefined) bind(app, '/app', true);
  for (const secret of service.secrets ?? []) bind(join(stage, 'secrets', secret), join('/run/secrets', secret), false);
  for (const volume of service.volumes ?? []) {
    const [from, to] = volume.split(':');
    if (from.startsWith('.')) {
      if (to.startsWith('/deploy/')) bind(join(root, from), to, false);
      continue;
    }
    const folder = join(stage, 'volumes', from);
    if (!existsSync(folder)) {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o1777);
    }
    bind(folder, to, true);
  }
  lines.push(`mount -t tmpfs tmpfs ${quote(root)}`, `mount -t tmpfs tmpfs ${quote(join(stage, 'secrets'))}`);
  lines.push(
    'mount -t tmpfs -o mode=1777,size=64m tmpfs /tmp',
    'mount -o remount,bind,ro /',
    'mount -o remount,ro /run',
    'mount -o remount,ro /var/lib',
  );
  if (app !== undefined) lines.push('mount -o remount,bind,ro /app', 'cd /app');
  else lines.push('cd /');
  if (service.network_mode === 'none') lines.push('ip link set lo up');
  return lines;
}

/** Switches to the service's user, drops all capabilities, and prevents the process from gaining a capability later. */
const asUser = (service) => {
  const [uid, gid] = service.user.split(':');
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--bounding-set=-all',
    '--inh-caps=-all',
    '--no-new-privs',
  ];
};

/**
 * Starts the service with its own mounts, process ids and user, a read-only file system, and no network unless the compose file
 * gives a network. `ask` runs a command in the same container, as `docker exec` does. `end` stops the service within its grace
 * period and returns its exit code or signal.
 */
export function contain(name, service, { root, stage, app, image, onLine }) {
  const env = { PATH: `${join(stage, 'bin')}:/usr/local/bin:/usr/bin:/bin:/usr/sbin`, ...image.env, ...service.environment };
  const command = [...(service.entrypoint ?? image.entrypoint), ...(service.command ?? image.command)];
  const words = [...asUser(service), 'env', '-i', ...Object.entries(env).map(([key, value]) => `${key}=${value}`), ...command];
  const script = [...mounts(service, { root, stage, app }), `exec ${words.map(quote).join(' ')}`].join('\n');
  const net = service.network_mode === 'none' ? ['--net'] : [];
  const child = spawn('unshare', [
    '--mount',
    '--propagation',
    'private',
    '--pid',
    '--fork',
    '--mount-proc',
    '--kill-child',
    '--ipc',
    ...net,
    'sh',
    '-c',
    script,
  ]);
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', (line) => onLine(name, line));
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));

  const pidInside = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0];
  const ask = (question) =>
    run('nsenter', [
      '--target',
      pidInside(),
      '--mount',
      '--pid',
      '--net',
      '--ipc',
      ...(app === undefined ? [] : ['--wd=/app']),
      '--',
      ...asUser(service),
      'env',
      '-i',
      `PATH=${env.PATH}`,
      ...question,
    ]);

  return {
    name,
    exited,
    ask,
    async healthy() {
      const [, ...question] = service.healthcheck.test;
      const deadline = performance.now() + HEALTHY_WITHIN_MS;
      for (;;) {
        const fault = await ask(question).then(
          () => undefined,
          (error) => error.stderr || error.message,
        );
        if (fault === undefined) return question.join(' ');
        if (child.exitCode !== null || performance.now() > deadline) throw new Refusal(`${name} is not healthy: ${fault}`);
        await delay(ASKED_EVERY_MS);
      }
    },
    async end() {
      if (child.exitCode !== null) return child.exitCode;
      process.kill(Number(pidInside()), 'SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds(service.stop_grace_period));
      const how = await exited;
      clearTimeout(timer);
      return how;
    },
  };
}
