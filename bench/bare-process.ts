import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import Koa from 'koa';
import { Pool } from 'pg';
import { serveParent } from './program';

export type BareOrder = {
  readonly url: string;
  readonly poolMax: number;
  readonly get: string;
  readonly list: string;
  /** The SQL of the insert. Its parameters are the id of the organisation and the body of the request. */
  readonly insert?: string;
};
export type BareAnswer = { readonly port: number };

const ROUTE = /^\/wallets\/([^/]+)\/transfers(?:\/([^/]+))?$/;
const PAGE = 50;

/**
 * The naive route makes one query and returns the rows as JSON. The route does not identify the caller, and has
 * neither checks nor logs.
 */
serveParent(async ({ url, poolMax, get, list, insert = '' }: BareOrder): Promise<BareAnswer> => {
  const pool = new Pool({ connectionString: url, max: poolMax });
  const app = new Koa();
  app.use(async (ctx) => {
    const [, walletId = '', transferId] = ROUTE.exec(ctx.path) ?? [];
    const orgId = ctx.get('x-org');
    if (ctx.method === 'POST') {
      const { rows } = await pool.query(insert, [orgId, JSON.parse(await textOf(ctx.req)) as unknown]);
      ctx.body = rows[0];
      return;
    }
    const { rows } =
      transferId === undefined
        ? await pool.query(list, [orgId, walletId, PAGE + 1])
        : await pool.query(get, [orgId, walletId, transferId]);
    ctx.body = transferId === undefined ? { items: rows } : rows[0];
  });
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0 };
});

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
