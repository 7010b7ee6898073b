import type { HashChain } from '../../domain/hash-chains';
import { auditChainStore, type StoredAuditEntry } from '../../entities/audit-logs/audit-chain.store';
import { feedStore, type StoredEvent } from '../../entities/feed/feed.store';
import type { ChainStore } from '../../entities/hash-chains/chain-store';
import { type AuditEntry, auditDigest, type FeedEvent, feedDigest } from '../../platform/hash-chain';

export type Chain<Item, Content> = {
  readonly name: HashChain;
  readonly store: ChainStore<Item>;
  /** The content that the chain commits to. */
  readonly contentOf: (item: Item) => Content;
  readonly digestOf: (content: Content) => string;
};

const feed: Chain<StoredEvent, FeedEvent> = {
  name: 'feed',
  store: feedStore,
  contentOf: ({ id, kind, dateCreated, data, aggregateVersion }) => ({
    ...{ id, kind, date: dateCreated.toISOString(), data, version: aggregateVersion },
  }),
  digestOf: feedDigest,
};

const audit: Chain<StoredAuditEntry, AuditEntry> = {
  name: 'audit',
  store: auditChainStore,
  contentOf: ({ id, kind, dateCreated, data }) => ({ id, kind, date: dateCreated.toISOString(), data }),
  digestOf: auditDigest,
};

export const CHAINS = { feed, audit } as const satisfies Record<HashChain, unknown>;
