import { FAMILIES } from '../../../domain/networks';
import type { Rule } from './tree';
import { lineOf, pathsOf, textOf } from './tree';

const FAMILY = `'(${FAMILIES.join('|')})(-\\w+)?'`;
/** The forms in which code tests for a family. A default branch after such a test fits only today's families. */
const NAMED = new RegExp(
  [
    String.raw`\bfamily\s*[!=]==?\s*${FAMILY}`,
    String.raw`${FAMILY}\s*[!=]==?\s*[\w.?]*\bfamily\b`,
    String.raw`\bisOfFamily\(`,
    String.raw`\bswitch \([^{\n]*\bfamily\)`,
    String.raw`\bPartial<\s*(Readonly<\s*)?Record<\s*\w*Family\b`,
    String.raw`\bPartial<\s*PerFamily\b`,
  ].join('|'),
);
const SOURCE = /^(?!test\/).*\.(ts|mjs|cjs)$/;
/** The places that may name a family: the chains, the record of each layer, and the families' own folders. */
const AT_HOME = new RegExp(String.raw`^chains/|/families\.ts$|/(${FAMILIES.join('|')})(/|\.ts$)`);

/** The other files that may name a family, each with the reason. An entry that is no longer needed is a fault. */
const STILL_NAMED: Readonly<Record<string, string>> = {
  'local/bitcoin.ts': 'a local chain of this family alone',
  'scripts/new/network.mjs': 'writes records of EVM networks alone',
  'signer/judging/require-network.ts': 'the one place where an order of a family meets a network of another',
};

export const familyRules: readonly Rule[] = [
  {
    title: 'a family is named in the record of its layer and in its own folders, and each exception is needed',
    check: (tree) => [
      ...pathsOf(tree, SOURCE).flatMap((path) => {
        const found = AT_HOME.test(path) || path in STILL_NAMED ? null : NAMED.exec(textOf(tree, path));
        if (!found) return [];
        const place = `${path}:${lineOf(textOf(tree, path), found.index)}`;
        return [`${place}: ${found[0]} → a member of the record in families.ts of this layer, which each family supplies`];
      }),
      ...Object.keys(STILL_NAMED)
        .filter((path) => !NAMED.test(textOf(tree, path)))
        .map((path) => `${path}: names no family → take it off the list of test/support/tidy/families.ts`),
    ],
  },
];
