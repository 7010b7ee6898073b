import { z } from 'zod';
import { callVendor } from '../../vendors/call';
import { VendorError } from '../../vendors/failure';
import { API_KEY, startVendors, type Vendors } from '../support/vendors';

const Account = z.object({ account: z.string() });

let vendors: Vendors;
beforeAll(async () => {
  vendors = await startVendors();
});
afterAll(() => vendors?.close());
beforeEach(() => vendors.forget('KytB'));

const ask = (apiKey = API_KEY) =>
  callVendor({ baseUrl: vendors.url('KytB'), apiKey, timeoutMs: 500 }, { method: 'GET', path: '/v1/account', reply: Account });

async function faultOf(call: Promise<unknown>): Promise<VendorError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof VendorError)) throw new Error(`no failure of the vendor: ${String(error)}`);
  return error;
}

test('a reply from the vendor is parsed with the schema', async () => {
  expect(await ask()).toEqual({ status: 200, value: { account: 'simulated kyt-b' } });
});

test.each([
  ['silence', { kind: 'Silent' }, 'TimedOut'],
  ['a reply that comes too late', { kind: 'Slow', delayMs: 2_000 }, 'TimedOut'],
  ['a server error', { kind: 'Error', status: 500 }, 'Failed'],
  ['a redirect, which is not followed', { kind: 'Error', status: 302 }, 'Failed'],
  ['refused credentials', { kind: 'Error', status: 403 }, 'Refused'],
  ['a rate limit', { kind: 'RateLimited', retryAfterSeconds: 3 }, 'RateLimited'],
  ['a reply that is not JSON', { kind: 'Garbage' }, 'Unreadable'],
  ['a reply without end', { kind: 'TooLong' }, 'Unreadable'],
  ['an incomplete reply', { kind: 'Broken' }, 'Unreachable'],
])('%s is reported as a known kind of failure, after one request', async (_what, behaviour, failure) => {
  await vendors.tell('KytB', { behaviour });
  expect((await faultOf(ask())).failure).toBe(failure);
  expect(await vendors.asked('KytB')).toHaveLength(1);
});

test('the failure is Refused for an unknown key, and Unreachable if no vendor listens', async () => {
  expect((await faultOf(ask('unknown-key'))).failure).toBe('Refused');
  const nobody = { baseUrl: 'http://127.0.0.1:1', apiKey: API_KEY };
  const fault = await faultOf(callVendor(nobody, { method: 'GET', path: '/v1/account', reply: Account }));
  expect([fault.failure, fault.message]).toEqual(['Unreachable', 'the vendor cannot be reached (ECONNREFUSED)']);
});

test('the wait that a vendor demands is returned, up to one minute', async () => {
  await vendors.tell('KytB', { behaviour: { kind: 'RateLimited', retryAfterSeconds: 3 } });
  expect((await faultOf(ask())).retryAfterMs).toBe(3_000);
  await vendors.tell('KytB', { behaviour: { kind: 'RateLimited', retryAfterSeconds: 3_600 } });
  expect((await faultOf(ask())).retryAfterMs).toBe(60_000);
});

test('an unreadable reply is kept without the credentials, and no message contains any part of the reply', async () => {
  await vendors.tell('KytB', { behaviour: { kind: 'Garbage' } });
  const { message, unreadableReply = '' } = await faultOf(ask());
  expect(unreadableReply).toBe('<html>Bearer [removed] is what I was sent</html>');
  expect(message).toBe('the vendor sent a reply that cannot be read');
});
