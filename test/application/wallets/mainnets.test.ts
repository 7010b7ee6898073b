import type { Services } from '../../../application/services';
import { requestSignature } from '../../../application/signatures/request-signature';
import { createWallet } from '../../../application/wallets/create-wallet';
import { WalletEntity } from '../../../entities/wallets/wallet.entity';
import { type Actor, createActor } from '../../support/actor';
import { seeCharter } from '../../support/charter-rows';
import { startWalletServices, type WalletServices } from '../../support/wallet-services';

let parts: WalletServices;
let actor: Actor;
/** The services, as if every network had nodes. */
let services: Services;
beforeAll(async () => {
  parts = await startWalletServices();
  services = { ...parts.services, readers: () => ({}) as never };
});
beforeEach(async () => {
  actor = await createActor(parts.database.db, await parts.database.createOrganization());
});
afterAll(() => parts?.close());

type Body = Parameters<typeof createWallet>[2];
const create = async (network: string, more: Partial<Body> = {}) =>
  createWallet(services, await actor.authority(), { network, ...more });
const wallets = () => parts.database.db.read(actor.caller.orgId).rows(WalletEntity, '');
const chartered = (...mainnets: string[]) => seeCharter(parts.database.db, actor.caller.orgId, 1, { mainnets });
const notEnabled = expect.objectContaining({ code: 'NetworkNotEnabled' });
const invalid = expect.objectContaining({ code: 'InvalidRequest' });

test('a mainnet has wallets only for an organisation whose charter names it', async () => {
  await expect(create('Ethereum')).rejects.toEqual(notEnabled);
  await chartered('Ethereum');
  await expect(create('Base')).rejects.toEqual(notEnabled);
  await expect(create('Ethereum')).resolves.toMatchObject({ network: 'Ethereum' });
  const other = await createActor(parts.database.db, await parts.database.createOrganization());
  await expect(createWallet(services, await other.authority(), { network: 'Ethereum' })).rejects.toEqual(notEnabled);
  expect(await wallets()).toHaveLength(1);
});

test('a key that may be delegated to an end user cannot get a wallet on a mainnet, not even later', async () => {
  await chartered('Ethereum');
  await expect(create('Ethereum', { delayDelegation: true })).rejects.toEqual(notEnabled);
  const { signingKey } = await create('EthereumSepolia', { delayDelegation: true });
  await expect(create('Ethereum', { signingKey: { id: signingKey.id } })).rejects.toEqual(notEnabled);
  expect(await wallets()).toHaveLength(1);
});

test.each([
  ['Bitcoin', 'BitcoinSignet'],
  ['BitcoinSignet', 'Bitcoin'],
  ['Litecoin', 'Bitcoin'],
  ['Solana', 'SolanaDevnet'],
])(
  'a key with a wallet on %s cannot get a wallet on %s, because its signatures would be valid on both',
  async (first, second) => {
    await chartered('Bitcoin', 'Litecoin', 'Solana', 'Ethereum');
    const { signingKey } = await create(first);
    await expect(create(second, { signingKey: { id: signingKey.id } })).rejects.toEqual(invalid);
    expect(await wallets()).toHaveLength(1);
  },
);

test('a key can serve several networks that do not accept each other’s signatures, and several test networks', async () => {
  await chartered('Bitcoin', 'BitcoinCash', 'Ethereum');
  const { signingKey } = await create('Bitcoin');
  for (const network of ['Ethereum', 'EthereumSepolia', 'BitcoinCash'])
    await create(network, { signingKey: { id: signingKey.id } });
  const second = await create('BitcoinSignet');
  await create('LitecoinTestnet', { signingKey: { id: second.signingKey.id } });
  expect(await wallets()).toHaveLength(6);
});

/** Services that answer before the workflow has begun. */
const unanswered = (): Services => ({
  ...services,
  dispatcher: { ...services.dispatcher, tryNow: async () => undefined } as never,
  changes: { ...services.changes, waitFor: async (_id: string, read: () => unknown) => read() } as never,
});
test('a key signs typed data for a mainnet only if the charter names the mainnet', async () => {
  const { signingKey } = await create('EthereumSepolia');
  const note = { types: { Note: [{ name: 'text', type: 'string' }] }, message: { text: 'x' } };
  const ask = async (chainId: number) =>
    requestSignature(
      unanswered(),
      await actor.authority(),
      { keyId: signingKey.id },
      { kind: 'Eip712', ...note, domain: { chainId } },
    );
  await expect(ask(1)).rejects.toEqual(notEnabled);
  await chartered('Ethereum');
  await expect(ask(8453)).rejects.toEqual(notEnabled);
  await expect(ask(1)).resolves.toMatchObject({ kind: 'Eip712', keyId: signingKey.id });
});
