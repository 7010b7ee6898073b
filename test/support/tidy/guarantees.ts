import { pathsOf, type Rule, type Tree, textOf } from './tree';

const PAGE = 'docs/guarantees.md';
const PRODUCT = /^(?!test\/).*\.(ts|mjs|cjs|sh|md)$/;
const MARKS = /\(([SP]\d+(?:, [SP]\d+)*)\)/g;
const HEADING = /^##+ /m;
const ENTRY = /^([SP]\d+)\. /;
const ANSWERS: readonly (readonly [what: string, found: RegExp])[] = [
  ['the story of a service without the rule', /^\*Without it:\*/m],
  ['a link to the code that keeps the rule', /^\*Kept by:\*[\s\S]*\]\(\.\.\//m],
];

/** The marks of the page, each with the text of its entry. */
const entriesOf = (tree: Tree): ReadonlyMap<string, string> =>
  new Map(
    textOf(tree, PAGE)
      .split(HEADING)
      .flatMap((entry) => {
        const [, mark] = ENTRY.exec(entry) ?? [];
        return mark === undefined ? [] : [[mark, entry]];
      }),
  );

const marksIn = (text: string): string[] => [...text.matchAll(MARKS)].flatMap(([, marks = '']) => marks.split(', '));

export const guaranteeRules: readonly Rule[] = [
  {
    title: 'a mark such as S9 in brackets has its entry in docs/guarantees.md',
    check: (tree) => {
      const entries = entriesOf(tree);
      return pathsOf(tree, PRODUCT).flatMap((path) =>
        [...new Set(marksIn(textOf(tree, path)))]
          .filter((mark) => !entries.has(mark))
          .map((mark) => `${path}: ${mark} → an entry in ${PAGE} that says what it means`),
      );
    },
  },
  {
    title: 'an entry of docs/guarantees.md says what happens without the rule and where the rule is kept',
    check: (tree) =>
      [...entriesOf(tree)].flatMap(([mark, text]) =>
        ANSWERS.filter(([, found]) => !found.test(text)).map(([what]) => `${PAGE}: ${mark} lacks ${what}`),
      ),
  },
];
