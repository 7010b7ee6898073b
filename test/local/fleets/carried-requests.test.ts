import type { z } from 'zod';
import { ApiError, type Client } from '../../../local/client';
import { followRequests } from '../../../local/fleets/carried-requests';

const REQUESTS = [
  { operationId: 'fo-1', requestId: 'xfr-1', order: '{"keyId":"key-2"}' },
  { operationId: 'fo-2', requestId: 'sig-1', order: '{"keyId":"key-9"}' },
  { operationId: 'fo-3', requestId: 'tx-1', order: '{"keyId":"key-2"}' },
];
const ARCHIVE = JSON.stringify({ input: { task: { requests: REQUESTS } } });
const signed = { result: { success: {} } };
const OUTPUT = JSON.stringify({
  outputs: { 'fo-1': signed, 'fo-2': signed, 'fo-3': { result: { fail: { message: 'not confirmed', code: 'NotConfirmed' } } } },
});

/** Answers each path with its next answer, and at the end with its last one. */
function clientWith(answers: Readonly<Record<string, unknown[]>>): Client {
  const absent = () => Promise.reject(new Error('nothing is changed'));
  return {
    ...{ change: absent, submit: absent },
    async get<S extends z.ZodType>(path: string, answer: S): Promise<z.output<S>> {
      const left = answers[path];
      if (!left) throw new ApiError(404, 'NotFound', 'not found', undefined);
      return answer.parse(left.length > 1 ? left.shift() : left[0]);
    },
  };
}
const stage = (name: string) => ({ stage: name, summary: `It is at ${name}.` });

test('each signed request is followed until it has left the device, by its wallet or its key, over all pages of wallets', async () => {
  const wallet = (id: string, key: string) => ({ id, signingKey: { id: key } });
  const client = clientWith({
    '/wallets?limit=100': [{ items: [wallet('wa-1', 'key-1'), wallet('wa-2', 'key-2')], nextPageToken: 'a b' }],
    '/wallets?limit=100&paginationToken=a%20b': [{ items: [wallet('wa-3', 'key-2')] }],
    '/wallets/wa-3/transfers/xfr-1/explain': [
      stage('OfflineSigning'),
      stage('OfflineSigning'),
      stage('Signing'),
      stage('Broadcasting'),
    ],
    '/keys/key-9/signatures/sig-1/explain': [stage('OfflineSigning'), stage('Ended')],
  });
  expect(await followRequests(client, ARCHIVE, OUTPUT)).toEqual([
    'xfr-1: It is at Broadcasting.',
    'sig-1: It is at Ended.',
    'tx-1: not signed (not confirmed); it waits for the next group.',
  ]);
});

test('a request that no wallet has is reported', async () => {
  const client = clientWith({ '/wallets?limit=100': [{ items: [] }] });
  await expect(followRequests(client, ARCHIVE, OUTPUT)).rejects.toThrow('No wallet has the request xfr-1.');
});
