import { startVendors, type Vendors } from '../support/vendors';

let vendors: Vendors;
beforeAll(async () => {
  vendors = await startVendors();
});
afterAll(() => vendors?.close());
beforeEach(() => vendors.forget('KytB'));

const score = (headers: Record<string, string> = { authorization: 'Bearer some-key' }) =>
  fetch(`${vendors.url('KytB')}/v1/risk-scores`, { method: 'POST', headers, body: JSON.stringify({ requestId: 'scr-1' }) });
const script = (instruction: unknown, headers: Record<string, string> = {}) =>
  fetch(`${vendors.base}/scripts/kyt-b`, { method: 'PUT', headers, body: JSON.stringify(instruction) });

test('a vendor follows an instruction for the given number of requests', async () => {
  await script({ script: { riskScore: 90 }, times: 1 });
  expect(await (await score()).json()).toEqual({ requestId: 'scr-1', riskScore: 90 });
  expect(await (await score()).json()).toEqual({ requestId: 'scr-1', riskScore: 0 });
  expect(await vendors.asked('KytB')).toHaveLength(2);
});

test('a request without credentials, or with unknown credentials, is refused', async () => {
  expect([(await score({})).status, (await score({ authorization: 'Bearer unknown-key' })).status]).toEqual([401, 401]);
});

test.each([
  [{ behaviour: { kind: 'Sulking' } }, 'behaviour.kind'],
  [{ script: { riskScore: 101 } }, 'riskScore'],
  [{ times: 0 }, 'times'],
])('an invalid instruction is refused with the path of its invalid member: %j', async (instruction, path) => {
  const response = await script(instruction);
  expect([response.status, await response.json()]).toMatchObject([400, { issues: [{ path }] }]);
});

test('a page with a different origin cannot instruct a vendor', async () => {
  expect((await script({}, { origin: 'https://elsewhere.example' })).status).toBe(403);
});

test('the page shows a vendor’s instructions and requests as text, and accepts a new instruction', async () => {
  const hostile = '<script>alert(1)</script>';
  await fetch(`${vendors.url('KytB')}/v1/${encodeURIComponent(hostile)}`, { headers: { authorization: 'Bearer some-key' } });
  const form = new URLSearchParams({ instruction: JSON.stringify({ script: { riskScore: 66 } }) });
  const told = await fetch(`${vendors.base}/scripts/kyt-b`, { method: 'POST', body: form });
  const page = await told.text();
  expect([told.status, new URL(told.url).pathname]).toEqual([200, '/']);
  expect(page).toContain('&quot;riskScore&quot;: 66');
  expect(page).not.toContain(hostile);
  expect(told.headers.get('content-security-policy')).toContain("default-src 'none'");
});
