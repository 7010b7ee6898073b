import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Person, startApi, type TestApi } from '../../support/api';
import { waitUntil } from '../../support/wait-until';

let api: TestApi;
let admin: Person;
beforeAll(async () => {
  api = await startApi();
  admin = await api.createPerson(await api.createOrganization());
});
afterAll(() => api?.close());

type Refusal = {
  error: { id: string; status: number; message: string; details?: { issues?: { path: string; message: string }[] } };
};

async function post(
  body: string | Uint8Array | undefined,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) {
  const response = await fetch(`${api.url}/auth/action/init`, {
    method: 'POST',
    ...(body === undefined ? {} : { body }),
    headers: { authorization: `Bearer ${admin.token}`, ...headers },
  });
  const answer = (await response.json()) as Refusal;
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  if (response.status !== 200) expect(answer.error.status).toBe(response.status);
  return { status: response.status, id: answer.error?.id, issue: answer.error?.details?.issues?.[0] };
}

const valid = '"userActionHttpMethod":"POST","userActionHttpPath":"/wallets","userActionPayload":"{}"';

test.each([
  ['half an object', '{"a":'],
  ['single quotes', "{'a':1}"],
  ['a trailing comma', '{"a":1,}'],
  ['two values', '{} {}'],
  ['a byte order mark', `\ufeff{${valid}}`],
  ['NaN', '{"a":NaN}'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['33 levels', `{"a":${'['.repeat(33)}${']'.repeat(33)}}`],
  ['100,000 levels', '['.repeat(100_000) + ']'.repeat(100_000)],
])('400: %s is malformed JSON', async (_name, body) => {
  expect(await post(body)).toMatchObject({ status: 400, id: 'MalformedJson', issue: { path: 'body' } });
});

test.each([
  ['body.userActionPayload', `{${valid},"userActionPayload":"{}"}`, 'must not appear twice'],
  ['body.userActionPayload', `{${valid},"userAction\\u0050ayload":"{}"}`, 'must not appear twice'],
  ['body.__proto__', `{${valid},"__proto__":{"admin":true}}`, 'unknown field'],
  ['body.constructor', `{${valid},"constructor":{"prototype":{"admin":true}}}`, 'unknown field'],
  ['body.userActionHttpMethod', '{}', 'is required'],
  [
    'body.userActionHttpPath',
    '{"userActionHttpMethod":"POST","userActionHttpPath":7,"userActionPayload":""}',
    expect.any(String),
  ],
  ['body.x', `{${valid},"x":1}`, 'unknown field'],
  ['body.x', `{${valid},"x":"\\u0000"}`, expect.stringContaining('zero character')],
  ['body', '[]', expect.any(String)],
  ['body', 'null', expect.any(String)],
  ['body', '"text"', expect.any(String)],
  ['body', '7', expect.any(String)],
])('400: the answer contains the fault: %s in %s', async (path, body, message) => {
  expect(await post(body)).toEqual({ status: 400, id: 'InvalidRequest', issue: { path, message } });
});

test('400: the body is missing, which is treated as an empty object', async () => {
  expect(await post(undefined, {})).toMatchObject({ status: 400, issue: { path: 'body.userActionHttpMethod' } });
});

test.each([
  ['no type', Buffer.from(`{${valid}}`), {}],
  ['text/plain', `{${valid}}`, { 'content-type': 'text/plain' }],
  ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['multipart', '--x\r\n', { 'content-type': 'multipart/form-data; boundary=x' }],
  ['Latin-1', `{${valid}}`, { 'content-type': 'application/json; charset=iso-8859-1' }],
  ['gzip', gzipSync(`{${valid}}`), { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
])('415: %s is not JSON', async (_name, body, headers) => {
  expect(await post(body, headers as Record<string, string>)).toMatchObject({ status: 415, id: 'UnsupportedMediaType' });
});

test.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain;charset=UTF-8'])(
  '400: a client sends a form as the text "[object FormData]" under %s, and the error reports this',
  async (type) => {
    expect(await post('[object FormData]', { 'content-type': type })).toEqual({
      status: 400,
      id: 'InvalidRequest',
      issue: { path: 'body', message: 'is the text [object FormData]: this client cannot send forms, unlike a browser' },
    });
  },
);

test('200: JSON with a charset of UTF-8 is JSON', async () => {
  expect((await post(`{${valid}}`, { 'content-type': 'Application/JSON; charset="utf-8"' })).status).toBe(200);
});

test('413: the body has one byte more than 1 MiB, with or without an announced length; 1 MiB is accepted', async () => {
  const padded = (bytes: number) => `{${valid}}`.padEnd(bytes, ' ');
  expect((await post(padded(1_048_576))).status).toBe(200);
  expect(await post(padded(1_048_577))).toMatchObject({ status: 413, id: 'BodyTooLarge' });
  const stream = new Blob([padded(3_000_000)]).stream();
  const response = await fetch(`${api.url}/auth/action/init`, {
    method: 'POST',
    body: stream,
    duplex: 'half',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
  } as RequestInit);
  expect(response.status).toBe(413);
});

test('401: the caller is unknown, and the body is not read', async () => {
  const response = await fetch(`${api.url}/auth/action/init`, { method: 'POST', body: 'x'.repeat(2_000_000) });
  expect(response.status).toBe(401);
});

test('400: a client disconnects midway, and this is not logged as a fault of the service', async () => {
  const { hostname, port } = new URL(api.url);
  const before = api.log.length;
  const socket = connect(Number(port), hostname);
  const head = `authorization: Bearer ${admin.token}\r\ncontent-type: application/json\r\ncontent-length: 100`;
  socket.write(`POST /auth/action/init HTTP/1.1\r\nhost: x\r\n${head}\r\nexpect: 100-continue\r\n\r\n{"half":`);
  // The server requests the rest of the body when it begins to read the body.
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  // The log line of the unknown caller in the test above might be written later.
  const line = await waitUntil('the line of the request', () =>
    api.log.slice(before).find((one) => one.includes('"createUserActionChallenge"') && !one.includes('"status":401')),
  );
  expect(JSON.parse(line)).toMatchObject({ status: 400, level: 'info' });
});
