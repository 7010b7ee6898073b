import type { ScreeningQuestion } from '../../../domain/screenings';
import { kytAScreener } from '../../../vendors/kyt-a/client';
import { API_KEY, startVendors, type Vendors } from '../../support/vendors';

const QUESTION: ScreeningQuestion = {
  direction: 'Sent',
  network: 'Ethereum',
  contract: null,
  amountUnits: '1000',
  from: '0x1111111111111111111111111111111111111111',
  to: ['0x2222222222222222222222222222222222222222'],
  userId: 'wa-1',
};

let vendors: Vendors;
beforeAll(async () => {
  vendors = await startVendors();
});
afterAll(() => vendors?.close());
beforeEach(() => vendors.forget('KytA'));

const ask = (set: Partial<ScreeningQuestion> = {}, id = 'scr-1') =>
  kytAScreener.screen({ baseUrl: vendors.url('KytA'), apiKey: API_KEY }, { id, question: { ...QUESTION, ...set } });

test('an attempt is registered once under its id, and the client queries its state until the attempt is complete', async () => {
  const script = {
    pendingPolls: 2,
    alerts: [{ level: 'HIGH', categoryId: 7 }, { level: 'LOW' }],
    directExposures: [{ categoryId: 3 }],
    addresses: [{ categoryId: null }],
  };
  await vendors.tell('KytA', { script });
  expect([await ask(), await ask()]).toEqual(['Pending', 'Pending']);
  expect(await ask()).toEqual({
    kind: 'Screened',
    alerts: [
      { level: 'HIGH', categoryId: 7 },
      { level: 'LOW', categoryId: null },
    ],
    directExposures: [{ categoryId: 3 }],
    addresses: [{ categoryId: null }],
  });
  const { direction: _, ...body } = QUESTION;
  const [first] = (await vendors.asked('KytA')).filter(({ method }) => method === 'PUT');
  expect(first).toMatchObject({ path: '/v1/withdrawal-attempts/scr-1', body });
});

test('a received transfer is registered as received, without a query about an address', async () => {
  await vendors.tell('KytA', { script: { addresses: [{ categoryId: 1 }] } });
  expect(await ask({ direction: 'Received', txHash: '0xab' })).toMatchObject({ kind: 'Screened', addresses: [] });
  const paths = (await vendors.asked('KytA')).map(({ path }) => path).sort();
  const registered = '/v1/received-transfers/scr-1';
  expect(paths).toEqual([registered, `${registered}/alerts`, `${registered}/exposures`]);
});

test.each(['UnsupportedNetwork', 'UnsupportedAsset'] as const)('the vendor itself may return %s', async (refuses) => {
  await vendors.tell('KytA', { script: { refuses } });
  expect(await ask()).toEqual({ kind: refuses });
});

test('no request is made for assets and networks that the vendor does not screen', () => {
  const token = '0x3333333333333333333333333333333333333333';
  expect(kytAScreener.unsupported(QUESTION)).toBeUndefined();
  expect(kytAScreener.unsupported({ ...QUESTION, contract: token })).toBeUndefined();
  expect(kytAScreener.unsupported({ ...QUESTION, network: 'Solana' })).toBeUndefined();
  expect(kytAScreener.unsupported({ ...QUESTION, network: 'Solana', contract: token })).toEqual({ kind: 'UnsupportedAsset' });
  expect(kytAScreener.unsupported({ ...QUESTION, network: 'Near' })).toEqual({ kind: 'UnsupportedNetwork' });
});
