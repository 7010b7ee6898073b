import { FAMILIES } from '../../../domain/networks';
import { SOURCE_FOLDERS } from '../import-table';
import { pathsOf, type Rule, textOf } from './tree';

const LINES_MAX = 400;
const CODE = /\.(ts|mjs|cjs)$/;
const SHAPELESS = /(^|\/)(utils?|helpers?|common|misc|shared|lib)(\/|\.(ts|mjs|cjs)$)/;
const COMPOSITIONS = /^api\/([^/]+\/)+index\.ts$|^(activities|workflows)\/index\.ts$/;
const SOURCE = new RegExp(`^(${SOURCE_FOLDERS.join('|')})/`);
/** Top folders whose subfolders are named after a listed word or a family. In `api/` the next level is named so too. */
const FEATURE_FOLDER = /^(entities|vendors|api|application|activities|signer)\/([^/]+)\/(?:([^/]+)\/)?/;
/** The names of the folders with a family's own files, in every role. */
const FAMILY_FOLDERS: ReadonlySet<string> = new Set(FAMILIES);
/** A reader can take in a list of this length at one glance. */
const FOLDER_FILES_MAX = 20;
const CROWDED = /^(entities(?!\/migrations\/)|application|activities|signer)\//;

/** The words of `domain/README.md`. Each item of a list there begins with its words in backticks. */
export function featureWords(readme: string): ReadonlySet<string> {
  return new Set([...readme.matchAll(/^- ((?:`[a-z-]+`(?:, )?)+)/gm)].flatMap(([, words = '']) => words.match(/[a-z-]+/g) ?? []));
}

export const fileRules: readonly Rule[] = [
  {
    title: 'no file is too long to be read in one sitting',
    check: (tree) =>
      pathsOf(tree, CODE)
        .map((path) => [path, textOf(tree, path).trimEnd().split('\n').length] as const)
        .filter(([, lines]) => lines > LINES_MAX)
        .map(([path, lines]) => `${path}: ${lines} lines, the limit is ${LINES_MAX} → split it by concern`),
  },
  {
    title: 'a file is named after its content',
    check: (tree) =>
      pathsOf(tree, SHAPELESS).map((path) => `${path}: the name says nothing → name the file after its main export`),
  },
  {
    title: 'an index file only composes, and only folders of operations, activities and workflows have one',
    check: (tree) =>
      pathsOf(tree, /(^|\/)index\.(ts|mjs|cjs)$/)
        .filter((path) => !COMPOSITIONS.test(path))
        .map((path) => `${path}: a barrel → import the file itself`),
  },
  {
    title: 'the folder of a feature has a word of domain/README.md as its name',
    check: (tree) => {
      const words = featureWords(textOf(tree, 'domain/README.md'));
      const used = new Set<string>();
      for (const path of tree.keys()) {
        const [, top, second, third] = FEATURE_FOLDER.exec(path) ?? [];
        if (second) used.add(`${top}/${second}`);
        if (top === 'api' && third) used.add(`${top}/${second}/${third}`);
      }
      return [...used]
        .filter((path) => !words.has(path.split('/').at(-1) ?? '') && !FAMILY_FOLDERS.has(path.split('/').at(-1) ?? ''))
        .map((path) => `${path}: not a word of the list`);
    },
  },
  {
    title: 'no folder holds more files than can be read at a glance',
    check: (tree) => {
      const counts = new Map<string, number>();
      for (const path of pathsOf(tree, CROWDED)) {
        const folder = path.slice(0, path.lastIndexOf('/'));
        counts.set(folder, (counts.get(folder) ?? 0) + 1);
      }
      return [...counts]
        .filter(([, files]) => files > FOLDER_FILES_MAX)
        .map(([folder, files]) => `${folder}: ${files} files, the limit is ${FOLDER_FILES_MAX} → give a part of them a folder`);
    },
  },
  {
    title: 'every word of domain/README.md is used, so that the list stays the truth',
    check: (tree) =>
      [...featureWords(textOf(tree, 'domain/README.md'))].filter(
        (word) => ![...tree.keys()].some((path) => SOURCE.test(path) && new RegExp(`/${word}(/|\\.)`).test(path)),
      ),
  },
  {
    title: 'a test lies where its subject lies',
    check: (tree) => {
      const paths = [...tree.keys()];
      const subjects = (path: string) => {
        const [, stem = ''] = /^test\/(.+)\.test\.ts$/.exec(path) ?? [];
        const folder = stem.slice(0, stem.lastIndexOf('/') + 1);
        return paths.some(
          (other) =>
            !other.startsWith('test/') &&
            (other === `${stem}.ts` || other === `${stem}.mjs` || (folder !== '' && other.startsWith(folder))),
        );
      };
      return pathsOf(tree, /^test\/.+\/.*\.test\.ts$/)
        .filter((path) => !/^test\/(end-to-end|red-team|contract|matrix|new-family)\//.test(path) && !subjects(path))
        .map((path) => `${path}: an orphan → move it to the folder of what it tests`);
    },
  },
];
