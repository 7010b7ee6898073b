import type { Reader } from '../../entities/database';
import type { ChainPosition, FeedItem } from '../../platform/hash-chain';
import { CHAINS } from '../hash-chains/chains';
import { readChainPage } from '../hash-chains/read-chain-page';

/** Throws `CursorBeyondFeed` for a position after the head, and `CursorOfAnotherFeed` for any other that the feed never had. */
export async function readFeed(reader: Reader, page: { readonly after: ChainPosition; readonly limit: number }) {
  const { items, ...rest } = await readChainPage(reader, CHAINS.feed, page);
  return { items: items.map(({ content, ...link }): FeedItem => ({ ...link, event: content })), ...rest };
}
