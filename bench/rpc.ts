import { z } from 'zod';

const Reply = z.object({ result: z.unknown(), error: z.object({ message: z.string() }).optional() });

export type Rpc = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** Throws if the node replies with an error. */
export const rpcAt =
  (url: string): Rpc =>
  async (method, params = []) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = Reply.parse(await response.json());
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
