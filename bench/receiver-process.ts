import { once } from 'node:events';
import { createServer } from 'node:http';
import { serveParent } from './program';

/** `key` is the member of the event that identifies an arrival, by default `subject`. */
export type ReceiverOrder = { readonly order: 'open'; readonly key?: string } | { readonly order: 'arrivals' };
/** One entry for each arrival since the last reply, in order: the value of the key and the wall-clock time in ms. */
export type ReceiverAnswer = { readonly url: string; readonly arrivals: readonly (readonly [string, number])[] };

let key = /"subject":"([^"]+)"/;
let arrivals: [string, number][] = [];

/** Replies at once and records when each event arrived. */
const server = createServer((request, response) => {
  const arrived = performance.timeOrigin + performance.now();
  let text = '';
  request.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => {
    arrivals.push([key.exec(text)?.[1] ?? '', arrived]);
    response.writeHead(200).end();
  });
});

serveParent(async (message: ReceiverOrder): Promise<ReceiverAnswer> => {
  if (message.order === 'open') {
    if (message.key !== undefined) key = new RegExp(`"${message.key}":"([^"]+)"`);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const address = server.address();
  const known = arrivals;
  arrivals = [];
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`, arrivals: known };
});
