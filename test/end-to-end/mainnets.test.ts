import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalChain, startChain } from '../../local/chain';
import { freePort } from '../../local/free-port';
import { VERIFIER_ORIGIN } from '../../platform/seen-assertions';
import { createChartering } from '../red-team/chartering';
import { type Installation, type Office, type Person, startInstallation } from '../red-team/installation';
import { ended, ok, RECIPIENT, type TransferBody, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(300_000);

const ANVIL_PATH = process.env['ANVIL_PATH'] ?? '';
/** One more than the number of confirmations that the network record of Ethereum requires. */
const CONFIRMATIONS = 13;
const SEEN = { origin: VERIFIER_ORIGIN, shownSha256: 'ab'.repeat(32) };
const TEN_ETHER = '0x8ac7230489e80000';

let variables: Record<string, string>;
let installation: Installation;
let chartering: ReturnType<typeof createChartering>;
let chain: LocalChain;
let chainFolder: string;
let office: Office;
let nodes: string;

beforeAll(async () => {
  variables = {};
  installation = await startInstallation(variables);
  chartering = createChartering(installation);
  office = await installation.createOffice('november');
  chainFolder = mkdtempSync(join(tmpdir(), 'mainnet-'));
  chain = await startChain(
    {
      ...{ ANVIL_PATH, CHAIN_STATE_FILE: join(chainFolder, 'state.gz'), CHAIN_PORT: await freePort(), CHAIN_HOST: '127.0.0.1' },
      ...{ CHAIN_ID: 1, CHAIN_VARIANT: 'Ethereum', CHAIN_CONFIRMATIONS: CONFIRMATIONS, LOG_LEVEL: 'warn' },
    },
    (reason) => {
      throw new Error(reason);
    },
  );
  const { port } = new URL(chain.url);
  nodes = JSON.stringify({
    EthereumSepolia: [`http://127.0.0.1:${installation.ports.chain}`],
    // The service requires two hosts, and cannot detect that here both are the same node.
    Ethereum: [`http://127.0.0.1:${port}`, `http://localhost:${port}`],
  });
});
afterAll(async () => {
  chartering?.close();
  await installation?.close();
  await chain?.stop();
  rmSync(chainFolder, { recursive: true, force: true });
});

const node = async (method: string, ...params: readonly unknown[]): Promise<never> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await fetch(chain.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return ((await answer.json()) as { readonly result: never }).result;
};
type Authority = { readonly charter: { readonly mainnets: readonly string[]; readonly sequence: number } | null };
const authority = async (by: Person) => ok(await by.client.get('/organizations/authority')) as Authority;
const walletOn = (network: string, by: Person, body: object = {}) =>
  by.client.change('POST', '/wallets', { network, ...body }, SEEN);
const notEnabled = { status: 400, body: { error: { id: 'NetworkNotEnabled' } } };
const paying = (amount: string) => ({ kind: 'Native', to: RECIPIENT, amount });

test('without a charter that lists the mainnet, the service does not start, and prints the reason', async () => {
  await installation.service.stop();
  variables['NETWORK_RPC_URLS'] = nodes;
  await expect(installation.service.start()).rejects.toThrow('no organization has a charter that names the mainnet Ethereum');
  await installation.service.stop();
  delete variables['NETWORK_RPC_URLS'];
  await installation.service.start();
});

describe('with a charter that lists the mainnet', () => {
  let wallet: WalletBody;
  beforeAll(async () => {
    await chartering.charter(office.orgId, { membersAmend: true, seen: 'all', mainnets: 'Ethereum' });
    await waitUntil(
      'the service to know the charter',
      async () => (await authority(office.ada)).charter?.mainnets[0] === 'Ethereum',
    );
    await installation.service.stop();
    variables['NETWORK_RPC_URLS'] = nodes;
    await installation.service.start();
    wallet = ok(await walletOn('Ethereum', office.ada)) as WalletBody;
    await waitUntil('the wallet in the charter', async () => (await authority(office.ada)).charter?.sequence === 2, 60_000);
    await node('anvil_setBalance', wallet.address, TEN_ETHER);
  });

  const send = async (amount: string, seen: object | undefined = SEEN): Promise<TransferBody> =>
    ok(
      await office.ada.client.change('POST', `/wallets/${wallet.id}/transfers`, paying(amount), seen as typeof SEEN),
    ) as TransferBody;

  test('a transfer is carried out with the chain id of the mainnet', async () => {
    const sent = await send('1000');
    const end = await ended(office.ada.client, wallet.id, sent.id);
    expect(end).toMatchObject({ status: 'Confirmed', network: 'Ethereum' });
    expect(await node('eth_getTransactionByHash', end.txHash)).toMatchObject({ chainId: '0x1', value: '0x3e8' });
  });

  test('a request without proof that the person saw its content is refused at once', async () => {
    const answer = await office.ada.client.change('POST', `/wallets/${wallet.id}/transfers`, paying('1'));
    expect(answer).toMatchObject({ status: 403, body: { error: { id: 'UserActionNotSeen' } } });
  });

  test('an end user cannot get a wallet on a mainnet, and nothing is written', async () => {
    expect(await walletOn('Ethereum', office.ada, { delayDelegation: true })).toMatchObject(notEnabled);
    const { items } = ok(await office.ada.client.get('/wallets')) as { readonly items: readonly { readonly network: string }[] };
    expect(items.filter(({ network }) => network === 'Ethereum')).toHaveLength(1);
  });

  test('another organisation may not use a mainnet, and rows that claim the contrary do not move any money', async () => {
    const other = await installation.createOffice('oscar');
    const { ada } = other;
    const { id } = await other.wallet('free');
    const typed = { kind: 'Eip712', types: { A: [{ name: 'a', type: 'string' }] }, domain: { chainId: 1 }, message: { a: 'x' } };
    const signs = (client = ada.client) => client.change('POST', `/wallets/${id}/signatures`, typed);
    expect(await walletOn('Ethereum', ada)).toMatchObject(notEnabled);
    expect(await signs()).toMatchObject({ status: 400 });

    const charter = `INSERT INTO charters (org_id, sequence, digest, text)
      SELECT $1, sequence, digest, text FROM charters WHERE org_id = $2`;
    await installation.asOwnerOfAll(charter, [other.orgId, office.orgId]);
    const { id: walletId, address } = ok(await walletOn('Ethereum', ada)) as WalletBody;
    await node('anvil_setBalance', address, TEN_ETHER);
    const sent = ok(await ada.client.change('POST', `/wallets/${walletId}/transfers`, paying('1'), SEEN)) as TransferBody;
    expect(await ended(ada.client, walletId, sent.id)).toMatchObject({
      status: 'Failed',
      reason: expect.stringMatching(/MainnetNotAllowed/),
    });
    expect(await node('eth_getTransactionCount', address, 'latest')).toBe('0x0');
  });
});
