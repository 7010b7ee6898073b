import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';

/**
 * Temporal stores search attributes in plain text. Only opaque ids, names of networks and stages, and times may be attributes.
 */
export const SEARCH_ATTRIBUTES = {
  orgId: defineSearchAttributeKey('OrgId', SearchAttributeType.KEYWORD),
  walletId: defineSearchAttributeKey('WalletId', SearchAttributeType.KEYWORD),
  network: defineSearchAttributeKey('Network', SearchAttributeType.KEYWORD),
  /** A workflow sets this attribute while it waits (workflows/at-stage.ts). */
  stage: defineSearchAttributeKey('Stage', SearchAttributeType.KEYWORD),
  /** The ids of the groups for which an approval still waits. `Group` alone would be a word of Temporal's query language. */
  approvalGroup: defineSearchAttributeKey('ApprovalGroup', SearchAttributeType.KEYWORD_LIST),
  /** The offline key store and the kind of a group of fleet operations. */
  keyStoreId: defineSearchAttributeKey('KeyStoreId', SearchAttributeType.KEYWORD),
  fleetKind: defineSearchAttributeKey('FleetKind', SearchAttributeType.KEYWORD),
  /** The time when an approval expires, a wait for a vendor ends, or a group is canceled. */
  deadline: defineSearchAttributeKey('Deadline', SearchAttributeType.DATETIME),
} as const;

/** The workflow itself sets the other attributes. */
const AT_START = ['orgId', 'walletId', 'network'] as const;
type Values = { readonly [K in (typeof AT_START)[number]]?: string | undefined };

export function searchAttributesOf(values: Values): TypedSearchAttributes {
  const pairs = AT_START.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [{ key: SEARCH_ATTRIBUTES[name], value }];
  });
  return new TypedSearchAttributes(pairs);
}
