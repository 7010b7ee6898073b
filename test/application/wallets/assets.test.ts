import { assetOf, balancesOf, pinToken } from '../../../application/wallets/assets';
import { createWallet } from '../../../application/wallets/create-wallet';
import { usableWallet } from '../../../application/wallets/wallets';
import { networkOf } from '../../../chains/networks';
import { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { TokenEntity } from '../../../entities/tokens/token.entity';
import { newId } from '../../../platform/ids';
import { type Actor, createActor } from '../../support/actor';
import { inTier } from '../../support/tiers';
import { startWalletServices, type WalletServices } from '../../support/wallet-services';

const network = 'EthereumSepolia';
const LISTED = networkOf(network).tokens[0]?.contract ?? '';
const UNLISTED = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

let parts: WalletServices;
let actor: Actor;
beforeEach(async () => {
  parts = await startWalletServices();
  actor = await createActor(parts.database.db, await parts.database.createOrganization());
});
afterEach(() => parts?.close());

const erc20 = (contract: string) => ({ kind: 'Erc20' as const, contract });
const put = (contract: string, decimals: number, balanceUnits = 0n, symbol = 'TKN') =>
  parts.node.tokens.set(contract.toLowerCase(), { decimals, symbol, balanceUnits });

async function someWallet() {
  const { id } = await createWallet(parts.services, await actor.authority(), { network });
  return usableWallet(parts.database.db.read(actor.caller.orgId), actor.caller, id);
}

/** Records a transfer of this token, so that the token appears among the assets of the wallet. */
async function useToken(walletId: string, from: string, contract: string): Promise<void> {
  await assetOf(parts.services, network, erc20(contract));
  const { orgId, userId } = actor.caller;
  await parts.database.db.withOrg(orgId, (tx) =>
    tx.insert(OutgoingEntity, {
      orgId,
      id: newId('transfer'),
      walletId,
      network,
      requesterUserId: userId,
      requestBody: {},
      requestDigest: '',
      assetKind: 'Erc20',
      contract,
      fromAddress: from,
      toAddress: from,
      amountUnits: '1',
      priority: 'Standard',
      feeCeilingUnits: '1',
      state: 'Requested',
    }),
  );
}

test('the native asset is known without asking the network', async () => {
  parts.node.isDown = true;
  const asset = await assetOf(parts.services, network, { kind: 'Native' });
  expect(asset).toEqual({ symbol: 'ETH', decimals: 18, verified: true });
});

test('a token keeps the decimals of its first use, and a later answer that differs is refused', async () => {
  put(UNLISTED, 6);
  expect(await assetOf(parts.services, network, erc20(UNLISTED))).toEqual({ symbol: 'TKN', decimals: 6, verified: false });
  put(UNLISTED, 6, 0n, 'USDC');
  expect(await assetOf(parts.services, network, erc20(UNLISTED))).toEqual({ symbol: 'TKN', decimals: 6, verified: false });
  put(UNLISTED, 18);
  await expect(assetOf(parts.services, network, erc20(UNLISTED))).rejects.toMatchObject({ code: 'AssetNotSupported' });
});

test('of two first uses with different decimals, one is stored and the other is refused', async () => {
  const pin = (decimals: number) => parts.database.db.withOrg('', (tx) => pinToken(tx, network, UNLISTED, { decimals }));
  const outcomes = await Promise.allSettled([pin(6), pin(18)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a token in the network record has the decimals of the record, and is not stored while the token reports different decimals', async () => {
  put(LISTED, 18, 5n, 'FAKE');
  await expect(assetOf(parts.services, network, erc20(LISTED))).rejects.toMatchObject({ code: 'AssetNotSupported' });
  expect(await parts.database.db.read('').rows(TokenEntity, '')).toEqual([]);
  put(LISTED, 6, 5n, 'FAKE');
  expect(await assetOf(parts.services, network, erc20(LISTED))).toEqual({ symbol: 'USDC', decimals: 6, verified: true });
});

test('an address without a token is not supported', async () => {
  await expect(assetOf(parts.services, network, erc20(UNLISTED))).rejects.toMatchObject({ code: 'AssetNotSupported' });
});

test('balances always list the native asset; tokens from the record or from transfers of the wallet are listed if the balance is not zero', async () => {
  const wallet = await someWallet();
  parts.node.nativeUnits = 0n;
  expect(await balancesOf(parts.services, wallet)).toEqual([
    { kind: 'Native', symbol: 'ETH', decimals: 18, verified: true, balance: '0' },
  ]);
  parts.node.nativeUnits = 10n ** 20n;
  put(LISTED, 6, 7n);
  put(UNLISTED, 9, 2n ** 256n - 1n);
  const listed = { ...erc20(LISTED), symbol: 'USDC', decimals: 6, verified: true, balance: '7' };
  expect((await balancesOf(parts.services, wallet)).slice(1)).toEqual([listed]);
  await useToken(wallet.id, wallet.address, UNLISTED);
  await useToken(wallet.id, wallet.address, LISTED);
  expect(await balancesOf(parts.services, wallet)).toEqual([
    { kind: 'Native', symbol: 'ETH', decimals: 18, verified: true, balance: '100000000000000000000' },
    listed,
    { ...erc20(UNLISTED), symbol: 'TKN', decimals: 9, verified: false, balance: String(2n ** 256n - 1n) },
  ]);
  put(UNLISTED, 9, 0n);
  expect(await balancesOf(parts.services, wallet)).toHaveLength(2);
  expect(await inTier(network, 2, () => balancesOf(parts.services, wallet))).toMatchObject([{ kind: 'Native' }]);
});

test('no balance is shown on a network whose tier does not include balances', async () => {
  const wallet = await someWallet();
  await expect(inTier(network, 3, () => balancesOf(parts.services, wallet))).rejects.toMatchObject({
    code: 'NotFound',
    details: { network, tier: 3 },
  });
});

test('balances that cannot be read are not shown as zero', async () => {
  const wallet = await someWallet();
  parts.node.isDown = true;
  await expect(balancesOf(parts.services, wallet)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  parts.node.isDown = false;
  parts.node.isDownForContracts = true;
  await expect(balancesOf(parts.services, wallet)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
});
