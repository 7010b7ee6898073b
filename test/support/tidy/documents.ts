import { IMPORT_TABLE, SOURCE_FOLDERS, spellImports } from '../import-table';
import { pathsOf, type Rule, textOf } from './tree';

const OTHER_FOLDERS = ['deploy', 'docs', 'scripts', 'test', 'tools'];
const README_BYTES_MAX = 10_000;
const TABLE = /<!-- boundaries\.cjs -->\n([\s\S]*?)<!-- end -->/;

/** The import table as `docs/architecture.md` prints it. */
export function importTable(): string {
  const rows = Object.entries(IMPORT_TABLE).map(
    ([folder, entries]) => `| [\`${folder}/\`](../${folder}/README.md) | ${spellImports(entries)} |`,
  );
  return `${['| Folder | May import |', '|---|---|', ...rows].join('\n')}\n`;
}

export const documentRules: readonly Rule[] = [
  {
    title: 'every top folder has a README, and no folder below has one',
    check: (tree) => {
      const wanted = ['README.md', ...[...SOURCE_FOLDERS, ...OTHER_FOLDERS].map((folder) => `${folder}/README.md`)];
      return [
        ...wanted.filter((path) => !tree.has(path)).map((path) => `${path} is missing`),
        ...pathsOf(tree, /(^|\/)README\.md$/)
          .filter((path) => !wanted.includes(path))
          .map((path) => `${path} → the README of the top folder`),
      ];
    },
  },
  {
    title: "the first line of a folder's README is its row of boundaries.cjs",
    check: (tree) =>
      SOURCE_FOLDERS.filter((folder) => tree.has(`${folder}/README.md`)).flatMap((folder) => {
        const [first = ''] = textOf(tree, `${folder}/README.md`).split('\n');
        const row = `May import: ${spellImports(IMPORT_TABLE[folder] ?? [])}.`;
        return first === row || first.startsWith(`${row} `) ? [] : [`${folder}/README.md → ${row}`];
      }),
  },
  {
    title: 'the import table of docs/architecture.md matches boundaries.cjs',
    check: (tree) =>
      TABLE.exec(textOf(tree, 'docs/architecture.md'))?.[1] === importTable() ? [] : [`docs/architecture.md →\n${importTable()}`],
  },
  {
    title: 'README.md has at most 10 kB: the first page is read to its end, and leads to the others',
    check: (tree) => {
      const bytes = Buffer.byteLength(textOf(tree, 'README.md'));
      return bytes > README_BYTES_MAX ? [`README.md: ${bytes} bytes → a page of docs/`] : [];
    },
  },
  {
    title: 'every path in a link of a document exists',
    check: (tree) =>
      pathsOf(tree, /\.md$/).flatMap((path) =>
        [...textOf(tree, path).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
          .map(([, target = '']) => new URL(target, `file:///${path}`).pathname.slice(1))
          .filter(
            (target) => !tree.has(target) && ![...tree.keys()].some((other) => other.startsWith(`${target.replace(/\/$/, '')}/`)),
          )
          .map((target) => `${path}: ${target} does not exist`),
      ),
  },
  {
    title: 'the files that a newcomer looks for exist',
    check: (tree) =>
      ['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md']
        .filter((path) => !tree.has(path))
        .map((path) => `${path} is missing`),
  },
];
