import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { readBody, readJson } from '../request-body';
import { exactJson } from './long-numbers';
import { MethodError } from './methods';

const BODY_BYTES_MAX = 1024 * 1024;
const Call = z.looseObject({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).default([]) });
type Call = z.output<typeof Call>;
type Methods = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

/** The methods of `control` set these faults. */
type Faults = { down: boolean; delayMs: number; drops: boolean | readonly string[]; refuses: boolean };

export type Server = { listen(port: number, host: string): Promise<string>; close(): Promise<void> };

export function createRpcServer(methods: Methods): Server {
  const faults: Faults = { down: false, delayMs: 0, drops: false, refuses: false };
  /** The signatures of refused transactions. */
  const refused = new Set<string>();
  const control: Methods = {
    strongroom_setDown: ([down]) => (faults.down = down === true),
    strongroom_setDelay: ([ms]) => (faults.delayMs = z.number().min(0).parse(ms)),
    /** Accepts and then drops all transactions, or only the transactions with these signatures. */
    strongroom_dropTransactions: ([drops]) => (faults.drops = z.union([z.boolean(), z.array(z.string())]).parse(drops)),
    /** Refuses every transaction, as a failing node does. Returns the signatures that were refused so far. */
    strongroom_refuseTransactions: ([refuses]) => {
      faults.refuses = refuses === true;
      return [...refused];
    },
  };

  function answer(call: Call): string {
    const wrapped = (part: object) => exactJson({ jsonrpc: '2.0', id: call.id ?? null, ...part });
    const method = control[call.method] ?? methods[call.method];
    if (!method) return wrapped({ error: { code: -32_601, message: `Method not found: ${call.method}` } });
    try {
      if (faults.refuses && call.method === 'sendTransaction') {
        refused.add(z.string().parse(methods['strongroom_signatureOf']?.(call.params)));
        return wrapped({ error: { code: -32_005, message: 'Node is unhealthy' } });
      }
      if (faults.drops !== false && call.method === 'sendTransaction') {
        const signature = z.string().parse(methods['strongroom_signatureOf']?.(call.params));
        if (faults.drops === true || faults.drops.includes(signature)) return wrapped({ result: signature });
      }
      return wrapped({ result: method(call.params) });
    } catch (error) {
      if (!(error instanceof MethodError)) return wrapped({ error: { code: -32_602, message: String(error).slice(0, 300) } });
      return wrapped({ error: { code: error.code, message: error.message, data: error.data } });
    }
  }

  async function respond(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const parsed = z.union([Call, z.array(Call).min(1)]).safeParse(readJson(await readBody(request, BODY_BYTES_MAX)));
    if (!parsed.success) {
      const error = { code: -32_600, message: 'This is not a JSON-RPC request' };
      return { status: 400, body: JSON.stringify({ jsonrpc: '2.0', id: null, error }) };
    }
    const calls = Array.isArray(parsed.data) ? parsed.data : [parsed.data];
    const isControl = calls.every(({ method }) => method in control);
    if (faults.down && !isControl) return { status: 503, body: 'The bank was told to be down' };
    if (faults.delayMs > 0 && !isControl) await delay(faults.delayMs);
    const answers = calls.map(answer);
    return { status: 200, body: Array.isArray(parsed.data) ? `[${answers.join(',')}]` : (answers[0] ?? '') };
  }

  const server = createServer((request, response) => {
    respond(request).then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      (error: unknown) => response.writeHead(502).end(String(error)),
    );
  });

  return {
    async listen(port, host) {
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
      const bound = server.address();
      if (bound === null || typeof bound === 'string') throw new Error('The local bank listens on no port');
      return `http://${host}:${bound.port}`;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
