import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal, run } from '../prepare/run.mjs';
import { helpIfAsked } from '../usage.mjs';

const NO_BUILD = '--no-build';
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export const kebab = (name) => name.replaceAll(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : '-'}${letter.toLowerCase()}`);
export const camel = (name) => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** `write` writes all changes together, so a generator that refuses half-way has not changed any file. */
export function createTree() {
  const changed = new Map();
  const read = (path) => changed.get(path) ?? readFileSync(join(ROOT, path), 'utf8');
  const has = (path) => changed.has(path) || existsSync(join(ROOT, path));
  return {
    has,
    read,
    add(path, text) {
      if (has(path)) throw new Refusal(`${path} exists already.`);
      changed.set(path, text);
    },
    /** Throws if the file does not contain the pattern. */
    edit(path, pattern, replacement) {
      const before = read(path);
      const after = before.replace(pattern, replacement);
      if (after === before)
        throw new Refusal(`${path} has an unexpected form (no match for ${pattern}): make this change in the file manually.`);
      changed.set(path, after);
    },
    editJson(path, change) {
      const value = JSON.parse(read(path));
      change(value);
      changed.set(path, `${JSON.stringify(value, undefined, 2)}\n`);
    },
    /** Writes and formats all changed files. With `builds`, also updates dist/ and openapi.json. */
    async write({ builds }) {
      for (const [path, text] of changed) {
        mkdirSync(dirname(join(ROOT, path)), { recursive: true });
        writeFileSync(join(ROOT, path), text);
      }
      const paths = [...changed.keys()];
      const node = (...args) => run(process.execPath, args, { cwd: ROOT, env: process.env });
      const formatted = paths.filter((path) => /\.ts$/.test(path));
      await node(join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '--write', ...formatted);
      if (!builds) return paths;
      await node(join('scripts', 'build.mjs'));
      await node(join('dist', 'api', 'openapi-file.js'));
      return paths;
    },
  };
}

/** Runs `plan` on a new tree, writes the changes, and lists the written files. */
export async function generate(usage, plan, next) {
  helpIfAsked(usage);
  try {
    const tree = createTree();
    const words = process.argv.slice(2);
    const named = words.filter((word) => word !== NO_BUILD);
    plan(tree, named, () => {
      throw new Refusal(usage);
    });
    for (const path of await tree.write({ builds: named.length === words.length })) console.log(`  ${path}`);
    console.log(next);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
