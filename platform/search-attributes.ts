import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';

/** Search attributes are stored in the clear by Temporal: opaque ids, and names of networks and stages, only. */
export const SEARCH_ATTRIBUTES = {
  orgId: defineSearchAttributeKey('OrgId', SearchAttributeType.KEYWORD),
  walletId: defineSearchAttributeKey('WalletId', SearchAttributeType.KEYWORD),
  network: defineSearchAttributeKey('Network', SearchAttributeType.KEYWORD),
  /** Set by a workflow itself while it waits (workflows/at-stage.ts). */
  stage: defineSearchAttributeKey('Stage', SearchAttributeType.KEYWORD),
} as const;

type Values = { readonly [K in keyof typeof SEARCH_ATTRIBUTES]?: string | undefined };

export function searchAttributesOf(values: Values): TypedSearchAttributes {
  const pairs = Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, key]) => {
    const value = values[name as keyof Values];
    return value === undefined ? [] : [{ key, value }];
  });
  return new TypedSearchAttributes(pairs);
}
