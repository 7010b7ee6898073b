import type { Rule } from './tree';
import { pathsOf, textOf } from './tree';

const FAMILY = `'(evm|evm-operation|solana|utxo)'`;
/** The ways in which code asks for a family; a default below such a question fits the families of its day. */
const NAMED = new RegExp(
  [
    String.raw`\bfamily\s*[!=]==?\s*${FAMILY}`,
    String.raw`${FAMILY}\s*[!=]==?\s*[\w.?]*\bfamily\b`,
    String.raw`\bswitch \([^{\n]*\bfamily\)`,
    String.raw`\bPartial<\s*(Readonly<\s*)?Record<\s*\w*Family\b`,
    String.raw`\bPartial<\s*PerFamily\b`,
  ].join('|'),
);
const SOURCE = /^(?!test\/).*\.(ts|mjs|cjs)$/;
/** The chains themselves, the record of each layer, and the families' own folders. */
const AT_HOME = /^chains\/|\/families\.ts$|\/(evm|solana|utxo)\//;

/** Where a family is still named besides, each with its reason. An entry that is no longer needed is a fault. */
const STILL_NAMED: Readonly<Record<string, string>> = {
  'application/causes/signed-content.ts': 'reads once more what a caller signed, with the codec of each family',
  'application/dispatch/start-words.ts': 'terms of several recipients have their own words',
  'application/explain/fees.ts': 'EVM alone has tokens that pay fees',
  'application/networks/networks.ts': 'EVM alone has networks without a coin and tokens that hide amounts',
  'application/signatures/payloads.ts': 'a kind of payload has another form on Solana, and Taproot keys a form of their own',
  'application/wallets/wallet-networks.ts': 'the Bitcoin family alone has addresses for keys of a second form',
  'domain/transactions.ts': 'tells the terms of the families apart, for all who need those of one',
  'local/bitcoin.ts': 'a local chain of this family alone',
  'operator/reconcile/compare.ts': 'Solana alone has durable nonces to read',
  'operator/reconcile/nonces.ts': 'addresses of EVM alone are compared without their case',
  'scripts/new/network.mjs': 'writes records of EVM networks alone',
};

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

export const familyRules: readonly Rule[] = [
  {
    title: 'a family is named in the record of its layer and in its own folders, and each exception is needed',
    check: (tree) => [
      ...pathsOf(tree, SOURCE).flatMap((path) => {
        const found = AT_HOME.test(path) || path in STILL_NAMED ? null : NAMED.exec(textOf(tree, path));
        if (!found) return [];
        const place = `${path}:${lineOf(textOf(tree, path), found.index)}`;
        return [`${place}: ${found[0]} → a member of the record in families.ts of this layer, which each family answers`];
      }),
      ...Object.keys(STILL_NAMED)
        .filter((path) => !NAMED.test(textOf(tree, path)))
        .map((path) => `${path}: names no family → take it off the list of test/support/tidy/families.ts`),
    ],
  },
];
