import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prove } from '../../offline-signer/ceremonies/prove';
import { type Installation, type Office, startInstallation } from '../red-team/installation';
import { ROOT } from '../support/compose';
import { createOfflineDesk, type OfflineDesk, requestsIn } from '../support/offline-desk';
import { ended, ok, send, TEN_ETHER, type TransferBody, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(300_000);

let installation: Installation;
let office: Office;
let desk: OfflineDesk;
let wallet: WalletBody;

beforeAll(async () => {
  installation = await startInstallation();
  office = await installation.createOffice('december');
  desk = await createOfflineDesk(installation, office);
}, 300_000);
afterAll(async () => {
  await installation?.close();
  desk?.close();
});

async function fund(address: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params: [address, TEN_ETHER] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${installation.ports.chain}`, { method: 'POST', headers, body });
  expect(await response.json()).not.toHaveProperty('error');
}

type Stage = { readonly stage: string; readonly offline: { readonly group: { readonly groupId: string } | null } | null };
const explained = async (id: string): Promise<Stage> =>
  ok(await office.ada.client.get(`/wallets/${wallet.id}/transfers/${id}/explain`)) as Stage;

async function waitingTransfer(): Promise<TransferBody> {
  const sent = await send(office.ada.client, wallet.id, { amount: '1234' });
  expect(sent.status).toBe('Executing');
  await waitUntil('the stage', async () => (await explained(sent.id)).stage === 'OfflineSigning', 60_000);
  return sent;
}

test('a genesis on the device, which another person approves, gives the store its keys', async () => {
  const { files, groupId } = await desk.genesisFiles({ numSecp256k1: 3, numEd25519: 1 });
  ok(await desk.submit('genesis/output', files));
  expect((await desk.approve(groupId)).manifest.threshold).toBe(2);
});

test('a transfer from a wallet of the store waits for the device, and is confirmed with its signature', async () => {
  const { client } = office.ada;
  const body = { network: 'EthereumSepolia', signingKey: { storeId: desk.storeId } };
  wallet = ok(await client.change('POST', '/wallets', body)) as WalletBody;
  await fund(wallet.address);
  const { id } = await waitingTransfer();
  expect(await explained(id)).toMatchObject({ stage: 'OfflineSigning', offline: { group: null } });
  expect(await installation.sentBy(wallet.address)).toBe(0);

  const archive = await desk.collect();
  expect(await explained(id)).toMatchObject({ offline: { group: { groupId: archive.input.groupId } } });
  expect(await desk.accept(await desk.sign(archive))).toEqual({ status: 'success' });
  expect(await ended(client, wallet.id, id)).toMatchObject({ status: 'Confirmed' });
  expect(await installation.sentBy(wallet.address)).toBe(1);
});

test('a transfer that is aborted while it waits never enters an archive', async () => {
  const { id } = await waitingTransfer();
  ok(await office.ada.client.change('PUT', `/wallets/${wallet.id}/transfers/${id}/abort`, {}));
  await ended(office.ada.client, wallet.id, id);
  expect(await office.ada.client.change('POST', desk.at('onchain-sign/input'), {})).toMatchObject({ status: 409 });
});

test('if the people at the device refuse every request, the group ends and its requests wait for the next one', async () => {
  const waiting = [await waitingTransfer(), await waitingTransfer()];
  const nothing = await desk.sign(await desk.collect(), [0, 1]);
  const { status, body } = await desk.submit('onchain-sign/output', nothing);
  expect([status, body]).toEqual([409, { error: expect.objectContaining({ id: 'NothingSigned' }) }]);
  for (const { id } of waiting) expect(await explained(id)).toMatchObject({ stage: 'OfflineSigning', offline: { group: null } });
});

test('after a crash of the service, the output of the archive from before the crash is accepted, once', async () => {
  const { client } = office.ada;
  const archive = await desk.collect();
  const files = await desk.sign(archive);
  await installation.service.stop('SIGKILL');
  await installation.service.start();
  const forged = (files['output-file.json'] ?? '').replace(/"dateMade":"20/, '"dateMade":"19');
  expect(await desk.submit('onchain-sign/output', { ...files, 'output-file.json': forged })).toMatchObject({ status: 400 });
  expect(ok(await desk.submit('onchain-sign/output', files))).toEqual({ status: 'success' });
  expect(await desk.submit('onchain-sign/output', files)).toMatchObject({ status: 409 });
  expect(requestsIn(archive)).toHaveLength(2);
  for (const { requestId } of requestsIn(archive)) {
    expect(await ended(client, wallet.id, requestId)).toMatchObject({ status: 'Confirmed' });
  }
  expect(await installation.sentBy(wallet.address)).toBe(3);
});

test('the device proves the control of the wallet, and the group returns a proof that anyone can verify', async () => {
  const { text, input } = await desk.archive('proof-of-control/input', { walletIds: [wallet.id] });
  const files = await prove(desk.device.session(), { input: text });
  expect(ok(await desk.submit('proof-of-control/output', files))).toEqual({ status: 'success' });
  const group = ok(await office.ben.client.get(desk.at(`fleet-operations/${input.groupId}`)));
  expect(group).toMatchObject({ status: 'Approved', proofs: [{ walletId: wallet.id, address: wallet.address }] });
  const folder = mkdtempSync(join(tmpdir(), 'strongroom-proof-'));
  try {
    const file = join(folder, 'group.json');
    writeFileSync(file, JSON.stringify(group));
    const { stdout } = spawnSync(process.execPath, [join(ROOT, 'docs/examples/control-proofs.mjs'), file], { encoding: 'utf8' });
    expect(stdout).toMatch(new RegExp(`^proven ${wallet.address}: .*controls the address ${wallet.address} on EthereumSepolia`));
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(await desk.submit('proof-of-control/output', files)).toMatchObject({ status: 409 });
});
