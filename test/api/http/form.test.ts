import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { apiConfig } from '../../../api/config';
import { createApp } from '../../../api/http/app';
import { openapiOf } from '../../../api/http/openapi';
import { operation } from '../../../api/http/operation';
import { routeOperations } from '../../../api/http/router';
import { operations } from '../../../api/operations';
import { type ApiServices, createApiServices } from '../../../api/services';
import { SNAPSHOTS } from '../../../api/snapshots';
import { act } from '../../../application/user-actions/act';
import { createLogger } from '../../../platform/logger';
import { type Person, startApi, type TestApi } from '../../support/api';
import { Client } from '../../support/client';

/** No operation of this release accepts a file. This operation is an example for later ones. */
const takeFile = operation({
  id: 'createWebhook',
  method: 'post',
  path: '/files',
  tag: 'wallets',
  summary: 'Take a file',
  description: 'Takes a file. Nothing is stored.',
  callers: ['CustomerEmployee'],
  permission: null,
  userAction: true,
  file: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ name: z.string(), fileChecksum: z.string().regex(/^[0-9a-f]{64}$/) }),
  response: z.object({ name: z.string(), bytes: z.number() }),
  handle: ({ body, file, authority }, { db }) => act(db, authority, async () => ({ name: body.name, bytes: file?.length ?? -1 })),
});

let api: TestApi;
let within: ApiServices;
let server: Server;
let url: string;
let person: Person;
beforeAll(async () => {
  api = await startApi();
  Object.assign(process.env, {
    DATABASE_URL: api.database.appUrl,
    TOKEN_KEY: api.tokenKey,
    DATA_KEK: randomBytes(32).toString('hex'),
    NETWORK_RPC_URLS: '{}',
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    LOG_LEVEL: 'silent',
  });
  const config = apiConfig();
  const logger = createLogger('api', config.LOG_LEVEL);
  within = await createApiServices(config, logger);
  const app = createApp(logger, {
    routes: [routeOperations([...operations, takeFile], within.services)],
    addressOf: () => '127.0.0.1',
    origins: [],
  });
  const handle = app.callback();
  server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { client: _client, ...made } = await api.createPerson(await api.createOrganization());
  person = { ...made, client: new Client(url, made) };
});
afterAll(async () => {
  if (server?.listening) await new Promise((resolve) => server.close(resolve));
  await within?.close();
  await api?.close();
});

const FILE = Buffer.from([0, 1, 2, 0x0d, 0x0a, 0x2d, 0x2d, 0xff]);
const checksumOf = (file: Buffer) => createHash('sha256').update(file).digest('hex');
const dataOf = (file: Buffer, name = 'a file') => JSON.stringify({ name, fileChecksum: checksumOf(file) });

async function send(body: RequestInit['body'], announced: string, headers: Record<string, string> = {}) {
  const userAction = await person.client.userAction('POST', '/files', announced);
  const response = await fetch(`${url}/files`, {
    method: 'POST',
    body: body ?? null,
    headers: { authorization: `Bearer ${person.token}`, 'x-svc-useraction': userAction, ...headers },
  });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}
const formOf = (data: string, file: Buffer) => {
  const form = new FormData();
  form.append('data', data);
  form.append('file', new Blob([file]), 'harvest.tar');
  return form;
};
const typed = { 'content-type': 'multipart/form-data; boundary=BOUNDARY' };
const part = (name: string, body: Buffer | string, more = '') =>
  Buffer.concat([
    Buffer.from(`--BOUNDARY\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ]);
const END = Buffer.from('--BOUNDARY--\r\n');
const refused = (path: string, message: string) => ({
  status: 400,
  body: { error: { id: 'InvalidRequest', details: { issues: [{ path, message }] } } },
});

test('200: a form in the format of browsers, with a user action that signs the text of the part data', async () => {
  const data = dataOf(FILE);
  expect(await send(formOf(data, FILE), data)).toEqual({ status: 200, body: { name: 'a file', bytes: FILE.length } });
});

test('200: the file is empty, the parts are in either order, or the boundary is in quotes', async () => {
  const data = dataOf(Buffer.alloc(0));
  const body = Buffer.concat([part('file', '', '; filename="x"\r\nContent-Type: application/x-tar'), part('data', data), END]);
  const quoted = { 'content-type': 'multipart/form-data; boundary="BOUNDARY"' };
  expect(await send(body, data, quoted)).toMatchObject({ status: 200, body: { bytes: 0 } });
});

test('400: the file does not match the signed checksum', async () => {
  const data = dataOf(FILE);
  const other = Buffer.from([...FILE.subarray(0, -1), 0xfe]);
  expect(await send(formOf(data, other), data)).toMatchObject(
    refused('body.fileChecksum', 'must be the SHA-256 of the file in lower-case hex'),
  );
});

test('403: the part data differs from the signed text, even if only by a space', async () => {
  const data = dataOf(FILE);
  for (const sent of [dataOf(FILE, 'another'), ` ${data}`]) {
    expect(await send(formOf(sent, FILE), data)).toMatchObject({ status: 403, body: { error: { id: 'UserActionInvalid' } } });
  }
});

const data = dataOf(FILE);
test.each<[string, string, Buffer]>([
  [
    'has parts other than data and file',
    'a third part',
    Buffer.concat([part('data', data), part('file', FILE), part('x', ''), END]),
  ],
  ['has the part data twice', 'two texts', Buffer.concat([part('data', data), part('data', data), part('file', FILE), END])],
  ['must have the parts data and file', 'no file', Buffer.concat([part('data', data), END])],
  ['must have the parts data and file', 'nothing', END],
  ['is cut short', 'no end', part('data', data)],
  ['is cut short', 'headers without an end', Buffer.from('--BOUNDARY\r\nContent-Disposition: form-data')],
  ['continues after its end', 'a second form', Buffer.concat([part('data', data), part('file', FILE), END, END])],
  ['lacks a required delimiter', 'text before the first delimiter', Buffer.concat([Buffer.from('x'), part('data', data), END])],
  ['has a part without a name', 'no name', Buffer.concat([Buffer.from('--BOUNDARY\r\nContent-Type: a/b\r\n\r\nx\r\n'), END])],
  [
    'must have its parts unencoded',
    'base64',
    Buffer.concat([part('data', data, '\r\nContent-Transfer-Encoding: base64'), part('file', FILE), END]),
  ],
])('400: the form %s (%s)', async (message, _name, body) => {
  expect(await send(body, data, typed)).toMatchObject(refused('body', message));
});

test('400: the part data is not JSON or lacks the checksum', async () => {
  expect(await send(formOf('{', FILE), '{')).toMatchObject({ status: 400, body: { error: { id: 'MalformedJson' } } });
  const bare = JSON.stringify({ name: 'x' });
  expect(await send(formOf(bare, FILE), bare)).toMatchObject(refused('body.fileChecksum', 'is required'));
});

test('400: a client sends the text "[object FormData]", and the error reports this', async () => {
  expect(await send('[object FormData]', data, typed)).toMatchObject(
    refused('body', 'is the text [object FormData]: this client cannot send forms, unlike a browser'),
  );
});

test('415: the body is JSON and not a form', async () => {
  expect(await send(data, data, { 'content-type': 'application/json' })).toMatchObject({
    status: 415,
    body: { error: { message: 'The body must be multipart/form-data with the parts data and file' } },
  });
});

test('413: a form of more than 8 MiB', async () => {
  const file = Buffer.alloc(8 * 1024 * 1024);
  const large = dataOf(file);
  expect(await send(formOf(large, file), large)).toMatchObject({ status: 413, body: { error: { id: 'BodyTooLarge' } } });
  const fitting = file.subarray(0, -2_000);
  const text = dataOf(fitting);
  expect(await send(formOf(text, fitting), text)).toMatchObject({ status: 200, body: { bytes: fitting.length } });
});

test('the OpenAPI document describes the parts of the form', () => {
  const document = JSON.parse(JSON.stringify(openapiOf([takeFile], SNAPSHOTS, '0.0.0'))) as {
    paths: Record<string, { post: object }>;
  };
  expect(document.paths['/files']?.post).toMatchObject({
    requestBody: {
      content: {
        'multipart/form-data': {
          schema: {
            properties: {
              data: { contentMediaType: 'application/json', contentSchema: { type: 'object' } },
              file: { format: 'binary' },
            },
            required: ['data', 'file'],
          },
        },
      },
    },
  });
});
