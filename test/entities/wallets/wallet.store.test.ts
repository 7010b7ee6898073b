import type { Reader } from '../../../entities/database';
import { type WalletFilter, walletStore } from '../../../entities/wallets/wallet.store';

const TAGS = Array.from({ length: 10 }, (_, n) => `tag-${n}`);
const SIZES = [0, 1, 2, 10];
const OPTIONS: Readonly<Record<keyof WalletFilter, readonly unknown[]>> = {
  network: ['EthereumSepolia'],
  externalId: ['x-1'],
  delegatedTo: ['us-1'],
  status: ['Active', 'Archived'],
  after: ['wa-1'],
  holds: ['Any', { symbol: 'ETH' }, { symbol: 'BTC' }],
  tags: SIZES.map((size) => TAGS.slice(0, size)),
  metadata: SIZES.map((size) => TAGS.slice(0, size).map((tag) => [tag, 'x'])),
};

/**
 * A connection keeps each statement, so a caller who could choose the number of statements would fill the memory of the server.
 */
test('however a caller combines the filters, the list uses few statements', async () => {
  const texts = new Set<string>();
  const rows = async (_entity: unknown, tail: string) => {
    texts.add(tail);
    return [];
  };
  const reader: Reader = { rows, row: async () => undefined, select: async () => [] };
  const combinations = Object.entries(OPTIONS).reduce<WalletFilter[]>(
    (filters, [name, values]) => filters.flatMap((filter) => [filter, ...values.map((value) => ({ ...filter, [name]: value }))]),
    [{}],
  );
  for (const filter of combinations) await walletStore.list(reader, filter, 50);
  expect(texts.size).toBe(2 ** 3 * 3 ** 3);
});
