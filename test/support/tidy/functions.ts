import ts from 'typescript';
import { SHIPPED_FOLDERS } from '../import-table';
import { pathsOf, type Rule, textOf } from './tree';

/** A reader of a function with this number of lines still remembers the beginning. */
const LINES_MAX = 70;
const SHIPS = new RegExp(`^(${SHIPPED_FOLDERS.join('|')})/.*\\.ts$`);

/** The name of a function, or of the closest named definition around it. */
function nameOf(node: ts.Node): string {
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    const { name } = at as { readonly name?: ts.Node };
    if (name && ts.isIdentifier(name)) return name.text;
  }
  return 'the module';
}

function longFunctions(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    const first = lineAt(node.getStart(file));
    const lines = lineAt(node.end) - first + 1;
    if (lines <= LINES_MAX) return;
    if (ts.isFunctionLike(node)) {
      const place = `${path}:${first + 1}`;
      found.push(
        `${place}: ${nameOf(node)} has ${lines} lines, the limit is ${LINES_MAX} → move parts of the function into other functions`,
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

export const functionRules: readonly Rule[] = [
  {
    title: 'a function fits on a page',
    check: (tree) => pathsOf(tree, SHIPS).flatMap((path) => longFunctions(path, textOf(tree, path))),
  },
];
