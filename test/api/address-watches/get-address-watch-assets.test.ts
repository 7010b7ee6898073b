import { networkOf } from '../../../chains/networks';
import { TokenEntity } from '../../../entities/tokens/token.entity';
import { newId } from '../../../platform/ids';
import { type AddressWatchApi, startAddressWatchApi, TOKEN, tokenPayment } from '../../support/address-watch-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../support/wallet-api';
import { writeMovements } from '../../support/written-movements';

let watches: AddressWatchApi;
beforeAll(async () => {
  watches = await startAddressWatchApi();
}, START_LIMIT_MS);
afterAll(() => watches?.close());

const USDC = networkOf('EthereumSepolia').tokens[0]?.contract ?? '';
const get = (id: string, query = '', by = watches.admin) => by.client.get(`/address-watches/${id}/assets${query}`);

test('200: the native balance, the tokens of the network’s record and the tokens that occur in movements, as the node reports them', async () => {
  const { id } = await watches.watch();
  const { db } = watches.api.database;
  watches.node.nativeUnits = 12n;
  watches.node.tokens.set(USDC.toLowerCase(), { decimals: 6, symbol: 'USDC', balanceUnits: 5n });
  watches.node.tokens.set(TOKEN.toLowerCase(), { decimals: 2, symbol: 'TOK', balanceUnits: 9n });
  const known = [
    { kind: 'Native', symbol: 'ETH', decimals: 18, verified: true, balance: '12' },
    { kind: 'Erc20', contract: USDC, symbol: 'USDC', decimals: 6, verified: true, balance: '5' },
  ];
  const holder = { addressWatchId: id, network: 'EthereumSepolia' };
  expect((await get(id)).body).toEqual({ ...holder, assets: known });
  await db.withOrg('', (tx) =>
    tx.ensure(TokenEntity, { network: 'EthereumSepolia', contract: TOKEN, symbol: 'TOK', decimals: 2 }),
  );
  await writeMovements(db, watches.orgId, [tokenPayment(id)]);
  const moved = { kind: 'Erc20', contract: TOKEN, symbol: 'TOK', decimals: 2, verified: false, balance: '9' };
  expect((await get(id, '?netWorth=true')).body).toEqual({ ...holder, assets: [...known, moved] });
});

test('400: netWorth has a value other than true', async () => {
  const { id } = await watches.watch();
  expect(await get(id, '?netWorth=yes')).toMatchObject(refusal(400, 'InvalidRequest', faultAt('query.netWorth')));
});

test('404: a watch that is unknown or belongs to another organisation', async () => {
  const { id } = await watches.watch();
  expect(await get(newId('addressWatch'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await get(id, '', watches.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('409: the watch is archived and has no balances', async () => {
  const { id } = await watches.watch();
  await watches.admin.client.change('DELETE', `/address-watches/${id}`);
  expect(await get(id)).toMatchObject(refusal(409, 'WrongState', { addressWatchId: id }));
});

test('403: without AddressWatches:Read', async () => {
  const { id } = await watches.watch();
  const person = await watches.api.createPerson(watches.orgId, { operations: ['Wallets:Read'] });
  expect(await get(id, '', person)).toMatchObject(refusal(403, 'Forbidden'));
});
