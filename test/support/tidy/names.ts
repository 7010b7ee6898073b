import { FAMILIES } from '../../../domain/networks';
import { pathsOf, type Rule, type Tree, textOf } from './tree';

type Declaration = { readonly path: string; readonly isType: boolean };

const EXPORTED = /^export (?:abstract )?(?:async )?(function\*?|const|class|type|interface) (\w+)/gm;
/** Folders that never ship hold programs that may use words of their own. */
const PRODUCT = /^(?!test\/|local\/|drill\/|bench\/|red-team\/).+\.ts$/;
const FAMILY = new RegExp(`(?:^|/)(${FAMILIES.join('|')})(?:[/.-])`);
const kebab = (name: string) => name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, '-$&').toLowerCase();
const roleOf = ({ path }: Declaration) => path.slice(0, path.indexOf('/'));
const areDifferent = (values: readonly string[]) => new Set(values).size === values.length;

/** Names that two files export with the same meaning, each with the reason for two exports. */
const SAME_THING: Readonly<Record<string, string>> = {
  KeySignature: 'the wire form of the signature that a scheme makes',
};

function declarations(tree: Tree): Map<string, Declaration[]> {
  const byName = new Map<string, Declaration[]>();
  for (const path of pathsOf(tree, PRODUCT)) {
    const here = new Map<string, boolean>();
    for (const [, kind = '', name = ''] of textOf(tree, path).matchAll(EXPORTED))
      here.set(name, (here.get(name) ?? true) && (kind === 'type' || kind === 'interface'));
    for (const [name, isType] of here) byName.set(name, [...(byName.get(name) ?? []), { path, isType }]);
  }
  return byName;
}

/** An operation, its use case and its workflow share one name, each in its own role. */
const isOperation = (tree: Tree, name: string, all: readonly Declaration[]) =>
  pathsOf(tree, new RegExp(`^api/.*/${kebab(name)}\\.ts$`)).length > 0 && areDifferent(all.map(roleOf));

/** Each family exports the same functions under the same names. */
const isOfFamilies = (all: readonly Declaration[]) => {
  const families = all.map(({ path }) => FAMILY.exec(path)?.[1]);
  return (
    families.every((family) => family !== undefined) && areDifferent(families as string[]) && new Set(all.map(roleOf)).size === 1
  );
};

/** A schema and the type that it describes. */
const isSchema = (all: readonly Declaration[]) => all.length === 2 && all.filter(({ isType }) => isType).length === 1;

/** A decoder shares no code with the builder, so that a fault of the builder does not occur in the decoder too. */
const isDecoded = (all: readonly Declaration[]) =>
  all.length === 2 &&
  all.every(({ path }) => path.startsWith('chains/')) &&
  all.filter(({ path }) => path.includes('/decoder')).length === 1;

export const nameRules: readonly Rule[] = [
  {
    title: 'no exported name stands for two things',
    check: (tree) =>
      [...declarations(tree)]
        .filter(
          ([name, all]) =>
            all.length > 1 &&
            !(name in SAME_THING) &&
            !isOperation(tree, name, all) &&
            !isOfFamilies(all) &&
            !isSchema(all) &&
            !isDecoded(all),
        )
        .map(
          ([name, all]) => `${name}: exported by ${all.map(({ path }) => path).join(', ')} → one of them needs a name of its own`,
        ),
  },
  {
    title: 'every exception to the rule of one name for one thing is needed',
    check: (tree) => {
      const all = declarations(tree);
      return Object.keys(SAME_THING)
        .filter((name) => tree.has('signer/protocol.ts') && (all.get(name)?.length ?? 0) < 2)
        .map((name) => `${name}: exported once → take it off the list`);
    },
  },
];
