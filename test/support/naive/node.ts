type Call = readonly [method: string, ...params: unknown[]];

/** Asks a node without any code of the product. */
export type NaiveNode = {
  readonly ask: <T>(method: string, ...params: unknown[]) => Promise<T>;
  /** Returns the replies in the order of the calls. The node might carry out the calls in any order. */
  readonly askAll: <T>(calls: readonly Call[]) => Promise<T[]>;
  /** Like `askAll`, with undefined for a call that the node refuses. */
  readonly tryAll: <T>(calls: readonly Call[]) => Promise<(T | undefined)[]>;
};

type Reply = { readonly id: number; readonly result?: unknown; readonly error?: { readonly message: string } };

const AT_ONCE = 100;

export function naiveNode(url: string): NaiveNode {
  async function batch(calls: readonly Call[]): Promise<Omit<Reply, 'id'>[]> {
    const body = JSON.stringify(calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params })));
    const reply = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    const replies = new Map(((await reply.json()) as Reply[]).map((one) => [one.id, one]));
    return calls.map((_, id) => replies.get(id) ?? { error: { message: 'no reply' } });
  }
  const all = async (calls: readonly Call[]) => {
    const replies: Omit<Reply, 'id'>[] = [];
    for (let at = 0; at < calls.length; at += AT_ONCE) replies.push(...(await batch(calls.slice(at, at + AT_ONCE))));
    return replies;
  };
  const askAll = async <T>(calls: readonly Call[]): Promise<T[]> =>
    (await all(calls)).map(({ result, error }, at) => {
      if (error) throw new Error(`${calls[at]?.[0]}: ${error.message}`);
      return result as T;
    });
  return {
    askAll,
    ask: async <T>(...call: [string, ...unknown[]]) => (await askAll<T>([call]))[0] as T,
    tryAll: async <T>(calls: readonly Call[]) => (await all(calls)).map(({ result }) => result as T | undefined),
  };
}
