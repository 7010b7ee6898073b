import { VARIANTS } from '../../../chains/evm/variants';
import { SHIPPED_FOLDERS } from '../import-table';
import { lineOf, pathsOf, type Rule, textOf } from './tree';

const VARIANT = `'(${Object.keys(VARIANTS).join('|')})'`;
/**
 * Networks, types of transactions and kinds of assets. A test for one of them is a test for a variant or for a token's rules.
 */
const PECULIAR = String.raw`('(Celo|Tempo)([A-Z]\w*)?'|'Erc7984')`;
/** The forms in which code tests for a variant of EVM networks or for the rules of its tokens. */
const ASKED = new RegExp(
  [
    String.raw`\b(isLegacy|isOpStack|feeTokens?|nonceKeys?|feeCurrenc(y|ies)|hasConfidentialAmounts|addressPrefix|keyedCount)\b`,
    String.raw`\bvariant\s*[!=]==?`,
    String.raw`${VARIANT}\s*[!=]==?\s*[\w.?]*\bvariant\b`,
    String.raw`\bswitch \([^{\n]*\bvariant\)`,
    String.raw`\bPartial<\s*(Readonly<\s*)?Record<\s*\w*Variant\b`,
    String.raw`([!=]==?|<>| =)\s*${PECULIAR}`,
    String.raw`${PECULIAR}\s*[!=]==?`,
    String.raw`\b(CELO|TEMPO)_TYPE\b`,
  ].join('|'),
);
const SOURCE = new RegExp(`^(${SHIPPED_FOLDERS.join('|')})/.*\\.ts$`);
/** The places that may test for a variant: EVM's chains, and the folders of the family in every layer. */
const AT_HOME = /^chains\/evm\/|\/evm\//;

/** The other files that may contain one of these forms, each with the reason. An entry that is no longer needed is a fault. */
const STILL_ASKED: Readonly<Record<string, string>> = {
  'application/explain/explained-fee.ts': 'passes the token of a row on, and tests for no token',
  'application/outgoing/transfer-view.ts': 'shows the token of a row, and tests for no token',
  'chains/network-settings.ts': 'a word of NETWORK_SETTINGS, compared with what the record lists',
  'domain/nonces.ts': 'the type of a nonce that counts in a lane',
  'domain/transactions.ts': 'members of terms that rows keep',
  'domain/transfers.ts': 'a member of options that rows keep',
  'entities/migrations/20261123070100-encrypted-amounts.ts': 'a migration stays as it was run',
  'entities/outgoing/lane-care.store.ts': 'SQL over the context of payloads, whose members are durable names',
  'entities/outgoing/lane.store.ts': 'SQL over the context of payloads, and the key of a claim, which are durable names',
  'operator/reconcile/nonces.ts': 'reads lines of the signing log as the signer writes them',
  'operator/reconcile/payloads.ts': 'SQL over the context of payloads, whose members are durable names',
  'signer/orders/transfer-orders.ts': 'a member of orders, as workers write them',
};

export const variantRules: readonly Rule[] = [
  {
    title: 'code tests for variants of EVM networks and their token rules only in EVM folders, and each exception is needed',
    check: (tree) => [
      ...pathsOf(tree, SOURCE).flatMap((path) => {
        const found = AT_HOME.test(path) || path in STILL_ASKED ? null : ASKED.exec(textOf(tree, path));
        if (!found) return [];
        const place = `${path}:${lineOf(textOf(tree, path), found.index)}`;
        return [`${place}: ${found[0]} → a slot of chains/evm/variants, or a fact of the network that fits all families`];
      }),
      ...Object.keys(STILL_ASKED)
        .filter((path) => !ASKED.test(textOf(tree, path)))
        .map((path) => `${path}: asks for no variant → take it off the list of test/support/tidy/variants.ts`),
    ],
  },
];
