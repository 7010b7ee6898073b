import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ScreeningQuestion } from '../../../domain/screenings';
import { kytBScreener } from '../../../vendors/kyt-b/client';
import { API_KEY, startVendors, type Vendors } from '../../support/vendors';

const QUESTION: ScreeningQuestion = {
  direction: 'Sent',
  network: 'Ethereum',
  contract: null,
  amountUnits: '1000',
  from: null,
  to: ['0x2222222222222222222222222222222222222222'],
  userId: 'wa-1',
};

let vendors: Vendors;
beforeAll(async () => {
  vendors = await startVendors();
});
afterAll(() => vendors?.close());

test('the score for this request is returned', async () => {
  await vendors.tell('KytB', { script: { riskScore: 42 } });
  const access = { baseUrl: vendors.url('KytB'), apiKey: API_KEY };
  expect(await kytBScreener.screen(access, { id: 'scr-1', question: QUESTION })).toEqual({ kind: 'Screened', riskScore: 42 });
  expect((await vendors.asked('KytB'))[0]?.body).toEqual({ requestId: 'scr-1', ...QUESTION });
});

test.each([
  ['for another request', { requestId: 'scr-2', riskScore: 0 }],
  ['above a hundred', { requestId: 'scr-1', riskScore: 101 }],
  ['as text', { requestId: 'scr-1', riskScore: '0' }],
  ['with status 200 and the error UnsupportedNetwork', { error: 'UnsupportedNetwork' }],
])('a score %s is unreadable', async (_which, body) => {
  const server = createServer((_request, response) => response.end(JSON.stringify(body)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const access = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: API_KEY };
  await expect(kytBScreener.screen(access, { id: 'scr-1', question: QUESTION })).rejects.toMatchObject({ failure: 'Unreadable' });
  await new Promise((resolve) => server.close(resolve));
});

test('a network that the vendor does not screen is unsupported', () => {
  expect(kytBScreener.unsupported({ ...QUESTION, network: 'Near' })).toEqual({ kind: 'UnsupportedNetwork' });
  expect(kytBScreener.unsupported(QUESTION)).toBeUndefined();
});
