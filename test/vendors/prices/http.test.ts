import { createHttpPrices } from '../../../vendors/prices/http';
import {
  type PriceAnswer as Answer,
  answering as body,
  dateIn as date,
  type PriceSource,
  startPriceSource,
} from '../../support/price-source';

let server: PriceSource;
beforeAll(async () => {
  server = await startPriceSource();
});
afterAll(() => server?.close());
beforeEach(() => server.asked.splice(0));

async function priceFrom(how: Answer, at = server.url) {
  server.how = how;
  const onFault = jest.fn();
  const source = { name: 'first', url: at, token: 'canary' };
  const prices = createHttpPrices({ source, timeoutMs: 300, ageMaxMs: 60_000, onFault });
  const price = await prices.priceOf({ network: 'EthereumSepolia', contract: '0xAb' });
  expect(JSON.stringify(onFault.mock.calls)).not.toContain('canary');
  return { price, faults: onFault.mock.calls.map(([, fault]) => fault) };
}

test('the request contains the network, the contract and the source’s token, and the price is kept to six decimal places', async () => {
  const at = date();
  const { price, faults } = await priceFrom(body({ usd: '3000.000001', decimals: 6, date: at, volume: 12.5 }));
  expect({ price, faults }).toEqual({ price: { usdMicro: 3_000_000_001n, decimals: 6, date: new Date(at) }, faults: [] });
  expect(server.asked.map(({ method, url: path }) => [method, path])).toEqual([
    ['GET', '/v1/price?plan=basic&network=EthereumSepolia&contract=0xAb'],
  ]);
  expect(server.asked[0]?.headers).toMatchObject({ authorization: 'Bearer canary', accept: 'application/json' });
});

test('an asset that is unknown to the source has no price, and no fault is reported', async () => {
  expect(await priceFrom(body({}, 404))).toEqual({ price: undefined, faults: [] });
});

test('the age of a price is counted from its date', async () => {
  const at = async (aheadMs: number) => (await priceFrom(body({ usd: '1', date: date(aheadMs) }))).faults;
  expect(await at(-55_000)).toEqual([]);
  expect(await at(-61_000)).toEqual(['a price that is too old']);
  expect(await at(55_000)).toEqual([]);
  expect(await at(65_000)).toEqual(['a price from the future']);
});

test('euros are returned too, and wrong euros do not affect the dollars that limits use', async () => {
  const at = date();
  const of = async (eur: unknown) => (await priceFrom(body({ usd: '2', eur, date: at }))).price;
  expect(await of('1.85')).toEqual({ usdMicro: 2_000_000n, eurMicro: 1_850_000n, date: new Date(at) });
  for (const eur of ['0', '-1', 'NaN', 1.85, null, '1.0000001', undefined])
    expect(await of(eur)).toEqual({ usdMicro: 2_000_000n, date: new Date(at) });
});

test('a price of zero is treated as unknown', async () => {
  expect((await priceFrom(body({ usd: '0.000000', date: date() }))).price).toBeUndefined();
});

test.each<[string, Answer, string]>([
  ['an error', body({ usd: '1', date: date() }, 500), 'status 500'],
  ['a redirect', (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end(), 'no connection'],
  ['silence', () => undefined, 'no answer in time'],
  ['an incomplete reply', (_, response) => void response.writeHead(200).write('{"usd":'), 'no answer in time'],
  ['a broken connection', (_, response) => void response.destroy(), 'no connection'],
  ['something that is not JSON', (_, response) => void response.end('<html>canary</html>'), 'an answer that is not JSON'],
  ['a large reply', (_, response) => void response.end(' '.repeat(20_000)), 'an answer that is too large'],
  ['a number', body({ usd: 3000, date: date() }), 'an answer that does not match docs/prices.md at usd'],
  ['a negative price', body({ usd: '-1', date: date() }), 'an answer that does not match docs/prices.md at usd'],
  ['a price without a date', body({ usd: '1' }), 'an answer that does not match docs/prices.md at date'],
  [
    'a date without a zone',
    body({ usd: '1', date: '2026-01-01T00:00:00' }),
    'an answer that does not match docs/prices.md at date',
  ],
  ['odd decimals', body({ usd: '1', date: date(), decimals: 1.5 }), 'an answer that does not match docs/prices.md at decimals'],
])('for %s no price is returned, and one fault is reported', async (_name, how, fault) => {
  expect(await priceFrom(how)).toEqual({ price: undefined, faults: [fault] });
});

test('no price is returned if the source is down', async () => {
  expect(await priceFrom(body({}), 'http://127.0.0.1:1/')).toEqual({ price: undefined, faults: ['no connection'] });
});
