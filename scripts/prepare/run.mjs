import { spawn } from 'node:child_process';

/** The message is one clear sentence for the user. Entry scripts print the message without a stack and exit with 1. */
export class Refusal extends Error {}

const running = new Set();
const TAIL_CHARACTERS_MAX = 20_000;

/**
 * Returns the tool's output. If the tool fails, throws an Error with the last lines of the output. With `show`, also prints the
 * output, because some tools run for minutes. After `limitMs`, kills the tool.
 */
export async function run(command, args, { cwd, env, show = false, limitMs, uid, gid } = {}) {
  const identity = uid === undefined ? {} : { uid, gid };
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'], ...identity });
  running.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    if (show) process.stdout.write(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-TAIL_CHARACTERS_MAX);
    if (show) process.stderr.write(chunk);
  });
  const timer = limitMs && setTimeout(() => killGroup(child), limitMs);
  try {
    await new Promise((resolve, reject) => {
      child.once('error', (error) => reject(new Error(error.code === 'ENOENT' ? `${command} is not installed` : error.message)));
      child.once('close', (code, signal) => {
        if (code === 0) resolve();
        else reject(new Error(lastWords(stderr) || lastWords(stdout) || `${command} ended with ${signal ?? code}`));
      });
    });
  } finally {
    clearTimeout(timer);
    running.delete(child);
  }
  return { stdout, stderr };
}

/** Kills all running tools. A Ctrl-C on the console does not reach the tools, because each tool has its own process group. */
export function killTools() {
  for (const child of running) killGroup(child);
}

function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

function lastWords(text) {
  const npm = [...text.matchAll(/^npm error (?!A complete log|Run "npm|code )(.{4,})$/gm)].map(([, words]) => words);
  if (npm.length > 0) return npm.slice(0, 3).join(' | ').slice(0, 600); // npm prints the error first and its usage at the end
  return text.trim().split('\n').slice(-3).join(' | ').slice(-400);
}
