import { AsyncLocalStorage } from 'node:async_hooks';

type Waiting<Item, Answer> = {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

type Options<Item, Answer> = {
  /** Items of different groups never share a batch and do not wait for each other. */
  readonly groupOf: (item: Item) => string;
  readonly itemsMax: number;
  /** Returns the results in the order of the items. Must be idempotent, because a failed batch of several items is repeated. */
  readonly run: (items: readonly [Item, ...Item[]]) => Promise<readonly Answer[]>;
};

/**
 * Collects the items that arrive while a batch is running, and runs these items in the next batch. A burst of items costs few
 * round trips, and a single item does not wait. A failed batch of several items is repeated item by item, because one bad item
 * must not fail the other items.
 */
export function createBatches<Item, Answer>({ groupOf, itemsMax, run }: Options<Item, Answer>): (item: Item) => Promise<Answer> {
  const groups = new Map<string, Waiting<Item, Answer>[]>();
  /** A batch serves several callers, so it runs outside the context of every caller. */
  const outside = AsyncLocalStorage.snapshot();

  const alone = async ({ item, resolve, reject }: Waiting<Item, Answer>): Promise<void> => {
    await run([item]).then(([answer]) => resolve(answer as Answer), reject);
  };

  const together = async (batch: readonly Waiting<Item, Answer>[]): Promise<void> => {
    const [first, ...others] = batch;
    if (!first) return;
    if (others.length === 0) return alone(first);
    try {
      const answers = await run([first.item, ...others.map(({ item }) => item)]);
      for (const [at, { resolve }] of batch.entries()) resolve(answers[at] as Answer);
    } catch {
      for (const one of batch) await alone(one);
    }
  };

  const empty = async (group: string, waiting: Waiting<Item, Answer>[]): Promise<void> => {
    while (waiting.length > 0) await together(waiting.splice(0, itemsMax));
    groups.delete(group);
  };

  return (item) =>
    new Promise((resolve, reject) => {
      const group = groupOf(item);
      const waiting = groups.get(group);
      if (waiting) {
        waiting.push({ item, resolve, reject });
        return;
      }
      const begun: Waiting<Item, Answer>[] = [{ item, resolve, reject }];
      groups.set(group, begun);
      // Items from the same turn of the event loop go into the first batch.
      setImmediate(() => outside(() => void empty(group, begun)));
    });
}
