import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of every text file of the repository, by the path from the root. */
export type Tree = ReadonlyMap<string, string>;

/** One promise about the tree. `check` reports every place that breaks the promise, and says what to do instead. */
export type Rule = { readonly title: string; readonly check: (tree: Tree) => string[] };

const ROOT = join(__dirname, '..', '..', '..');
const SKIPPED = new Set(['node_modules', 'dist', '.cache', '.data', '.git', 'coverage', 'histories']);
const TEXT =
  /\.(ts|mjs|cjs|js|json|md|yml|yaml|sh|go|mod|xml|sql|html|css|service|timer|py)$|^(LICENSE|Caddyfile|run|\.gitignore|\.npmrc)$/;

export function readTree(): Tree {
  const tree = new Map<string, string>();
  const walk = (folder: string) => {
    for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) walk(path);
      if (entry.isFile() && TEXT.test(entry.name)) tree.set(path, readFileSync(join(ROOT, path), 'utf8'));
    }
  };
  walk('');
  return tree;
}

/** Every path that matches, in order. */
export function pathsOf(tree: Tree, pattern: RegExp): string[] {
  return [...tree.keys()].filter((path) => pattern.test(path)).sort();
}

/** The line of a place in a text, counted from one. */
export const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

export function textOf(tree: Tree, path: string): string {
  return tree.get(path) ?? '';
}
