import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Middleware } from 'koa';
import { documentRoutes } from '../../../api/docs';
import { createApp } from '../../../api/http/app';
import { refuseMalformed } from '../../../api/http/refuse-malformed';
import type { RequestState } from '../../../api/http/request-log';
import { AppError, ERRORS, type ErrorCode } from '../../../domain/errors';
import { createLogger } from '../../../platform/logger';
import { startApi, type TestApi } from '../../support/api';

const CODES = Object.keys(ERRORS) as ErrorCode[];
const isCode = (name: string): name is ErrorCode => Object.hasOwn(ERRORS, name);

/** A fake operation that fails with the code in the path, or with an unforeseen fault. */
const failing: Middleware<RequestState> = (ctx, next) => {
  const name = ctx.path.replace('/fails/', '');
  if (name === 'unforeseen') throw new TypeError('a bug');
  if (isCode(name)) throw new AppError(name, 'refused');
  return next();
};

const servers: Server[] = [];
async function serve(publicUrl?: string): Promise<string> {
  const app = createApp(createLogger('api', 'silent'), {
    routes: [failing, documentRoutes(publicUrl)],
    addressOf: () => '192.0.2.7',
    origins: [],
    publicUrl,
  });
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  server.on('clientError', refuseMalformed(publicUrl));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let api: TestApi;
let url: string;
beforeAll(async () => {
  [api, url] = await Promise.all([startApi(), serve()]);
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await api?.close();
});

const targetOf = (link: string | null): string => /^<([^>]+)>; rel="help"$/.exec(link ?? '')?.[1] ?? 'no link';

/** Follows the link of an error answer and returns the text of the section to which the link points. */
async function sectionBehind(answer: Response): Promise<string | undefined> {
  const target = new URL(targetOf(answer.headers.get('link')), answer.url);
  const page = await fetch(target);
  const sections = [...(await page.text()).matchAll(/<section id="(\w+)">([\s\S]*?)<\/section>/g)];
  return sections.find(([, id]) => `#${id}` === target.hash)?.[2];
}

test.each(CODES)('the answer with error %s has a link to the section of this error, which contains the status', async (code) => {
  const answer = await fetch(`${url}/fails/${code}`);
  expect(answer.status).toBe(ERRORS[code].status);
  expect(await sectionBehind(answer)).toContain(`<h2>${code}</h2>\n<p>HTTP ${answer.status}. `);
});

test('500: the answer to an unforeseen fault has a link to the section of Internal', async () => {
  const answer = await fetch(`${url}/fails/unforeseen`);
  expect([answer.status, await sectionBehind(answer)]).toEqual([500, expect.stringContaining('<h2>Internal</h2>')]);
});

test('400, 401, 403 and 404 of the running service have links to their sections', async () => {
  const stranger = await api.createPerson(await api.createOrganization(), { operations: [] });
  const headers = { authorization: `Bearer ${stranger.token}` };
  const answers = {
    400: await fetch(`${api.url}/auth/login/init`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    }),
    401: await fetch(`${api.url}/wallets`),
    403: await fetch(`${api.url}/wallets`, { headers }),
    404: await fetch(`${api.url}/no-such-path`, { headers }),
  };
  for (const [status, answer] of Object.entries(answers)) {
    const section = await sectionBehind(answer);
    const { error } = (await answer.json()) as { readonly error: { readonly id: string; readonly status: number } };
    expect([String(error.status), section]).toEqual([status, expect.stringContaining(`<h2>${error.id}</h2>`)]);
  }
});

test('the body of an error does not contain the link', async () => {
  expect(await (await fetch(`${url}/fails/Conflict`)).json()).toEqual({
    error: { id: 'Conflict', status: 409, message: 'refused' },
  });
});

test('the link contains the configured public address, and a successful answer has no link', async () => {
  const behindProxy = await serve('https://custody.example.com/api/');
  const link = async (path: string) => (await fetch(`${behindProxy}${path}`)).headers.get('link');
  expect(await link('/fails/NotFound')).toBe('<https://custody.example.com/api/docs/errors#NotFound>; rel="help"');
  expect(await link('/docs/errors')).toBeNull();
});

test('the answer to a request that is not HTTP has the link too', async () => {
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write('no HTTP at all\r\n\r\n'));
    socket.on('data', (chunk) => (received += chunk.toString('utf8')));
    socket.once('error', reject);
    socket.once('end', () => resolve(received));
  });
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).toContain('\r\nLink: </docs/errors#InvalidRequest>; rel="help"\r\n');
});
