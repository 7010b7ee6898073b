import type { Services } from '../../../application/services';
import { createWallet } from '../../../application/wallets/create-wallet';
import { AmendmentEntity } from '../../../entities/charters/amendment.entity';
import { type Actor, createActor } from '../../support/actor';
import { seeCharter } from '../../support/charter-rows';
import { startWalletServices, type WalletServices } from '../../support/wallet-services';

let parts: WalletServices;
let zoe: Actor;
let keyId: string;
/** The services, as if every network had nodes. */
let services: Services;
beforeAll(async () => {
  parts = await startWalletServices();
  services = { ...parts.services, readers: () => ({}) as never };
});
beforeEach(async () => {
  zoe = await createActor(parts.database.db, await parts.database.createOrganization(), 'EndUser');
  ({
    signingKey: { id: keyId },
  } = await create('EthereumSepolia'));
});
afterAll(() => parts?.close());

type Body = Parameters<typeof createWallet>[2];
const create = async (network: string, more: Partial<Body> = {}) =>
  createWallet(services, await zoe.authority(), { network, ...more });
const second = (network: string) => create(network, { signingKey: { id: keyId } });
const serving = (networks: 'Test' | 'All') =>
  seeCharter(parts.database.db, zoe.caller.orgId, 1, { endUsers: { networks }, mainnets: ['Ethereum'] });
/** Marks the key as one that was made under the charter. */
const held = () => parts.database.arrange(`UPDATE keys SET asking_action_id = 'ua-1' WHERE id = $1`, [keyId]);
const amendments = () => parts.database.db.read(zoe.caller.orgId).rows(AmendmentEntity, 'ORDER BY t.ordinal');
const notEnabled = expect.objectContaining({ code: 'NetworkNotEnabled' });

test('the signer is notified of each further wallet of a key that an end user holds', async () => {
  await serving('Test');
  await held();
  const { id: walletId } = await second('BaseSepolia');
  expect(await amendments()).toMatchObject([{ kind: 'createWallet', given: { walletId, keyId }, status: 'Waiting' }]);
});

test('a key without a holder can get further wallets, and the signer is not notified', async () => {
  await serving('Test');
  await second('BaseSepolia');
  await expect(second('Ethereum')).rejects.toEqual(notEnabled);
  expect(await amendments()).toEqual([]);
});

test('a held key has a wallet on a mainnet only if the charter opens its mainnets to end users', async () => {
  await held();
  await serving('Test');
  await expect(second('Ethereum')).rejects.toEqual(notEnabled);
  await serving('All');
  await expect(second('Base')).rejects.toEqual(notEnabled);
  await expect(second('Ethereum')).resolves.toMatchObject({ network: 'Ethereum' });
});
