import { confirmMovements, withdrawMovements } from '../../../application/movements/settle';
import type { EvmReader } from '../../../chains/evm/types';
import type { ChainReader } from '../../../chains/types';
import { AppError } from '../../../domain/errors';
import type { NetworkName } from '../../../domain/networks';
import { holdingStore } from '../../../entities/movements/holding.store';
import { type WalletFilter, walletStore } from '../../../entities/wallets/wallet.store';
import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';
import { createScannedWallet, type ScannedWallet } from '../../support/scanned-wallets';
import { type WrittenMovement, writeMovements } from '../../support/written-movements';

const NETWORK = 'EthereumSepolia';
const USDC = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
const HEIGHT = 5_000;

let house: Housekeeping;
let orgId: string;
let wallet: ScannedWallet;
/** The balances that the node returns, by address and contract; the contract of the native asset is empty. */
const balances = new Map<string, bigint>();
const silent = new Set<NetworkName>();
const asked: string[] = [];

function answer(network: NetworkName, address: string, contract = ''): Promise<bigint> {
  asked.push(`${address} ${contract}`);
  if (silent.has(network)) return Promise.reject(new AppError('NetworkUnavailable', 'The node does not answer'));
  return Promise.resolve(balances.get(`${address} ${contract}`) ?? 0n);
}
const readers = (network: NetworkName) => {
  const reader: Partial<EvmReader> = {
    family: 'evm',
    nativeBalance: (address) => answer(network, address),
    tokenBalance: (contract, address) => answer(network, address, contract),
  };
  return reader as ChainReader;
};

beforeAll(async () => {
  house = await openHousekeeping({ networks: [NETWORK, 'BaseSepolia'], readers });
});
afterAll(() => house?.close());
beforeEach(async () => {
  for (const one of [balances, silent]) one.clear();
  asked.splice(0);
  await house.upset('DELETE FROM holdings');
  await house.upset('DELETE FROM movements');
  orgId = await house.database.createOrganization();
  wallet = await createScannedWallet(house.database.db, orgId, NETWORK);
});

const db = () => house.database.db;
const mine = (set: Partial<WrittenMovement> = {}) =>
  writeMovements(db(), orgId, [{ subjectId: wallet.walletId, blockHeight: String(HEIGHT), ...set }]);
const confirm = (network: NetworkName = NETWORK) => db().withOrg(orgId, (tx) => confirmMovements(tx, network, HEIGHT));
const holding = async (holds: WalletFilter['holds'], by = orgId) =>
  (await walletStore.list(db().read(by), { holds }, 50)).map((record) => record.wallet.id);
const token = { kind: 'Erc20Transfer', contract: USDC, symbol: 'USDC', decimals: 6 } as const;

test('a wallet holds exactly the assets with a final movement and a balance that was read', async () => {
  balances.set(`${wallet.address} ${USDC}`, 4n);
  await mine(token);
  await house.keep('refresh-holdings');
  expect([asked, await holding('Any')]).toEqual([[], []]);
  await confirm();
  expect(await holding('Any')).toEqual([]);
  expect(await house.keep('refresh-holdings')).toEqual({ looked: 1, done: 1 });
  expect(asked).toEqual([`${wallet.address} ${USDC}`]);
  expect(await holding('Any')).toEqual([wallet.walletId]);
  expect(await holding({ symbol: 'USDC' })).toEqual([wallet.walletId]);
  expect([await holding({ symbol: 'ETH' }), await holding({ symbol: 'usdc' })]).toEqual([[], []]);
  expect(await house.keep('refresh-holdings')).toEqual({ looked: 0, done: 0 });
});

test('after each later movement, the balance is read again; an asset with a balance of zero is not held', async () => {
  balances.set(`${wallet.address} `, 9n);
  await mine();
  await confirm();
  await house.keep('refresh-holdings');
  expect(await holding({ symbol: 'ETH' })).toEqual([wallet.walletId]);
  balances.set(`${wallet.address} `, 0n);
  await mine({ direction: 'Out' });
  await confirm();
  await house.keep('refresh-holdings');
  expect([await holding({ symbol: 'ETH' }), await holding('Any')]).toEqual([[], []]);
});

test('after a reorganisation of a final movement, the balance is read again', async () => {
  balances.set(`${wallet.address} `, 9n);
  await mine();
  await confirm();
  await house.keep('refresh-holdings');
  balances.clear();
  await db().withOrg(orgId, (tx) => withdrawMovements(tx, NETWORK, HEIGHT, new Date(0)));
  await house.keep('refresh-holdings');
  expect(await holding('Any')).toEqual([]);
});

test('a stranger’s token under the symbol of another asset, and a non-fungible token, are not included', async () => {
  const fake = '0x8464135c8F25Da09e49BC8782676a84730C318bC';
  balances.set(`${wallet.address} ${fake}`, 10n ** 30n);
  await mine({ ...token, contract: fake, isVerified: false });
  await mine({ ...token, kind: 'Erc721Transfer', tokenId: '1', amountUnits: null });
  await confirm();
  expect(await holdingStore.due(db().read(orgId), wallet.walletId)).toEqual([]);
  await house.keep('refresh-holdings');
  expect([asked, await holding('Any'), await holding({ symbol: 'USDC' })]).toEqual([[], [], []]);
});

test('a silent network delays no other network, and its wallets are read as soon as it answers', async () => {
  const other = await createScannedWallet(db(), orgId, 'BaseSepolia');
  for (const { address } of [wallet, other]) balances.set(`${address} `, 1n);
  await mine();
  await mine({ subjectId: other.walletId, network: 'BaseSepolia' });
  await confirm();
  await confirm('BaseSepolia');
  silent.add(NETWORK);
  expect(await house.keep('refresh-holdings')).toEqual({ looked: 2, done: 1 });
  expect(house.lines()).toContain('warn: the balances of wallets could not be read');
  expect(await holding('Any')).toEqual([other.walletId]);
  silent.clear();
  expect(await house.keep('refresh-holdings')).toEqual({ looked: 1, done: 1 });
  expect((await holding('Any')).sort()).toEqual([wallet.walletId, other.walletId].sort());
});

test('a reading does not replace a reading that began later, and after a movement during a reading the balance is due again', async () => {
  await mine();
  await confirm();
  const [first] = await holdingStore.due(db().read(orgId), wallet.walletId);
  await mine({ direction: 'Out' });
  await confirm();
  const [second] = await holdingStore.due(db().read(orgId), wallet.walletId);
  const keep = (seen = '', units = 0n) =>
    db().withOrg(orgId, (tx) => holdingStore.keep(tx, wallet.walletId, [{ contract: '', seen, units }]));
  await keep(first?.seen, 5n);
  expect(await holdingStore.due(db().read(orgId), wallet.walletId)).toHaveLength(1);
  await keep(second?.seen, 0n);
  await keep(first?.seen, 5n);
  expect([await holdingStore.due(db().read(orgId), wallet.walletId), await holding('Any')]).toEqual([[], []]);
});

test('the balance of an address that was altered in the database is not read', async () => {
  const stranger = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
  balances.set(`${stranger} `, 1n);
  await mine();
  await confirm();
  await house.upset('UPDATE wallets SET address = $1 WHERE id = $2', [stranger, wallet.walletId]);
  await house.keep('refresh-holdings');
  expect(asked).toEqual([]);
});

test('another organisation sees none of the holdings', async () => {
  balances.set(`${wallet.address} `, 1n);
  await mine();
  await confirm();
  await house.keep('refresh-holdings');
  expect(await holding('Any', await house.database.createOrganization())).toEqual([]);
});
