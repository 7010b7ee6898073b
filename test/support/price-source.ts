import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type PriceAnswer = (request: IncomingMessage, response: ServerResponse) => void;

export type PriceSource = {
  /** The address has a query, which each request must keep. */
  readonly url: string;
  /** The behaviour towards further requests. */
  how: PriceAnswer;
  readonly asked: IncomingMessage[];
  readonly close: () => Promise<void>;
};

export const answering =
  (value: unknown, status = 200): PriceAnswer =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

export const dateIn = (aheadMs = 0): string => new Date(Date.now() + aheadMs).toISOString();

/** Returns the prices of these assets, by contract or `native`, and 404 for any other asset. */
export const knowing =
  (assets: Readonly<Record<string, object>>): PriceAnswer =>
  (request, response) => {
    const asset = assets[new URL(request.url ?? '', 'http://source').searchParams.get('contract') ?? 'native'];
    answering({ date: dateIn(), ...asset }, asset === undefined ? 404 : 200)(request, response);
  };

/** Starts a price source that answers over HTTP, and can be slow, wrong or silent. */
export async function startPriceSource(): Promise<PriceSource> {
  const server = createServer((request, response) => {
    source.asked.push(request);
    source.how(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const source: PriceSource = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/price?plan=basic`,
    how: answering({}, 404),
    asked: [],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return source;
}
