import { AsyncLocalStorage } from 'node:async_hooks';
import { createBatches } from '../../platform/batches';

/** Each batch runs until `settle` ends it. */
function stage(itemsMax = 10, fails: (items: readonly string[]) => boolean = () => false) {
  const ran: string[][] = [];
  const releases: (() => void)[] = [];
  const ask = createBatches<string, string>({
    groupOf: (item) => item.slice(0, 1),
    itemsMax,
    run: async (items) => {
      ran.push([...items]);
      await new Promise<void>((resolve) => releases.push(resolve));
      if (fails(items)) throw new Error(`refused: ${items.join()}`);
      return items.map((item) => item.toUpperCase());
    },
  });
  /** Ends the running batches until no batch is left. */
  const settle = async () => {
    do {
      for (const release of releases.splice(0)) release();
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    } while (releases.length > 0);
  };
  return { ask, ran, settle };
}

test('simultaneous requests run in one batch, and each request gets its own result', async () => {
  const { ask, ran, settle } = stage();
  const answers = Promise.all(['a1', 'a2', 'a3'].map(ask));
  await settle();
  expect(await answers).toEqual(['A1', 'A2', 'A3']);
  expect(ran).toEqual([['a1', 'a2', 'a3']]);
});

test('requests during a batch make the next batch, up to the maximum size', async () => {
  const { ask, ran, settle } = stage(2);
  const first = ask('a1');
  await new Promise((resolve) => setImmediate(resolve));
  const others = Promise.all(['a2', 'a3', 'a4'].map(ask));
  await settle();
  expect([await first, ...(await others)]).toEqual(['A1', 'A2', 'A3', 'A4']);
  expect(ran).toEqual([['a1'], ['a2', 'a3'], ['a4']]);
});

test('groups do not share a batch and do not wait for each other', async () => {
  const { ask, ran, settle } = stage();
  const answers = Promise.all(['a1', 'b1', 'a2'].map(ask));
  await new Promise((resolve) => setImmediate(resolve));
  expect(ran).toEqual([['a1', 'a2'], ['b1']]);
  await settle();
  expect(await answers).toEqual(['A1', 'B1', 'A2']);
});

test('only the bad item fails: the batch is repeated item by item', async () => {
  const { ask, ran, settle } = stage(10, (items) => items.includes('a2'));
  const answers = Promise.allSettled(['a1', 'a2', 'a3'].map(ask));
  await settle();
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(ran).toEqual([['a1', 'a2', 'a3'], ['a1'], ['a2'], ['a3']]);
});

test('a batch runs without the context of a request, and each request continues in its own context', async () => {
  const context = new AsyncLocalStorage<string>();
  const ask = createBatches<string, string>({
    groupOf: () => '',
    itemsMax: 10,
    run: async (items) => items.map(() => String(context.getStore())),
  });
  const seen = (name: string) => context.run(name, async () => [await ask(name), context.getStore()]);
  expect(await Promise.all([seen('one'), seen('two')])).toEqual([
    ['undefined', 'one'],
    ['undefined', 'two'],
  ]);
});

test('a group processes the next item after a failed batch and after a finished batch', async () => {
  const { ask, settle } = stage(10, (items) => items.includes('a1'));
  const failed = ask('a1');
  failed.catch(() => undefined);
  await settle();
  await expect(failed).rejects.toThrow('refused: a1');
  const next = ask('a2');
  await settle();
  expect(await next).toBe('A2');
});
