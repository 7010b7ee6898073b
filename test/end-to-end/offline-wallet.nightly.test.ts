import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { genesis } from '../../offline-signer/ceremonies/genesis';
import { prove } from '../../offline-signer/ceremonies/prove';
import type { Files } from '../../offline-signer/session';
import { signGroup } from '../../offline-signer/signing/sign-group';
import { KEY_STORE_COMMANDS } from '../../operator/key-store-commands';
import { sha256Hex } from '../../platform/digests';
import { SignedInput } from '../../platform/fleets/inputs';
import { shortDigest } from '../../platform/fleets/statement';
import { type Installation, type Office, startInstallation } from '../red-team/installation';
import { ROOT } from '../support/compose';
import { sendForm } from '../support/fleet-api';
import { createRoom, type Machine } from '../support/offline-fleet';
import { ended, ok, send, TEN_ETHER, type TransferBody, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(300_000);

const GENESIS = {
  ...{ kind: 'Genesis', numProvisioners: 3, threshold: 2 },
  ...{ numSecp256k1: 3, numEd25519: 1, hsmGenesisSerial: 'D-1' },
};

const room = createRoom();
const folder = mkdtempSync(join(tmpdir(), 'strongroom-offline-wallet-'));
let installation: Installation;
let office: Office;
let storeId: string;
let device: Machine;
let wallet: WalletBody;

beforeAll(async () => {
  installation = await startInstallation();
  office = await installation.createOffice('december');
  const { ada, ben } = office;
  const { items } = ok(await ada.client.get('/permissions')) as { readonly items: readonly { id: string; name: string }[] };
  const full = items.find(({ name }) => name === 'ManagedFullAdminAccess')?.id;
  ok(await ada.client.change('POST', `/permissions/${full}/assignments`, { identityId: ben.userId }));
  device = await room.machine('Device', 'D-1');
  storeId = await addedStore();
}, 300_000);
afterAll(async () => {
  await installation?.close();
  room.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** The operator of the service adds an offline store, and the worker shows it. */
async function addedStore(): Promise<string> {
  const key = join(folder, 'operator.pem');
  writeFileSync(key, installation.operatorKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  const before = process.env['SIGNER_STATE_DIR'];
  process.env['SIGNER_STATE_DIR'] = join(installation.service.dataFolder, 'signer');
  try {
    await KEY_STORE_COMMANDS['key-store add'].run({ org: office.orgId, name: 'Vault one', key });
  } finally {
    if (before === undefined) delete process.env['SIGNER_STATE_DIR'];
    else process.env['SIGNER_STATE_DIR'] = before;
  }
  return waitUntil('the store', async () => {
    const { items } = ok(await office.ada.client.get('/key-stores')) as {
      readonly items: readonly { id: string; kind: string }[];
    };
    return items.find(({ kind }) => kind === 'OfflineSigner')?.id;
  });
}

const at = (rest: string) => `/key-stores/${storeId}/${rest}`;

/** Asks for an archive, and writes the fingerprint of the signer on the paper of the device. */
async function archive(path: string, body: unknown): Promise<{ readonly text: string; readonly input: SignedInput['input'] }> {
  const text = ok(await office.ada.client.change('POST', at(path), body)) as string;
  const { input, signed } = SignedInput.parse(JSON.parse(text));
  room.paper.set(`the signer ${input.signerId}`, shortDigest(signed.by));
  device.screen.today = new Date().toISOString().slice(0, 10);
  return { text, input };
}

const submit = (path: string, files: Files) => {
  const file = files['output-file.json'] ?? '';
  const outputJson: unknown = JSON.parse(files['output.json'] ?? '');
  return sendForm(office.ada, at(path), JSON.stringify({ fileChecksum: sha256Hex(file), outputJson }), file);
};

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
  const { text, input } = await archive('genesis/input', GENESIS);
  const members = await Promise.all(['P-1', 'P-2', 'P-3'].map((serial) => room.machine('Provisioner', serial)));
  const operator = await room.machine('Operator', 'M-1');
  const cards = { provisioners: members.map(({ cardText }) => cardText), operator: operator.cardText };
  const files = await genesis(device.session(), { input: text, ...cards, noDice: false });
  ok(await submit('genesis/output', files));
  const path = at(`fleet-operations/${input.groupId}`);
  const { proposal } = ok(await office.ben.client.get(path)) as { proposal: { manifest: { digest: string; threshold: number } } };
  expect(proposal.manifest.threshold).toBe(2);
  ok(await office.ben.client.change('POST', `${path}/approve`, { manifest: proposal.manifest.digest }));
  await waitUntil('the approval', async () => {
    const { status } = ok(await office.ada.client.get(path)) as { readonly status: string };
    return status === 'Approved';
  });
});

test('a transfer from a wallet of the store waits for the device, and is confirmed with its signature', async () => {
  const { client } = office.ada;
  const body = { network: 'EthereumSepolia', signingKey: { storeId } };
  wallet = ok(await client.change('POST', '/wallets', body)) as WalletBody;
  await fund(wallet.address);
  const { id } = await waitingTransfer();
  expect(await explained(id)).toMatchObject({ stage: 'OfflineSigning', offline: { group: null } });
  expect(await installation.sentBy(wallet.address)).toBe(0);

  const { text, input } = await archive('onchain-sign/input', {});
  expect(await explained(id)).toMatchObject({ offline: { group: { groupId: input.groupId } } });
  const files = await signGroup(device.session(), { input: text });
  expect(ok(await submit('onchain-sign/output', files))).toEqual({ status: 'success' });
  expect(await ended(client, wallet.id, id)).toMatchObject({ status: 'Confirmed' });
  expect(await installation.sentBy(wallet.address)).toBe(1);
});

test('a transfer that is aborted while it waits never enters an archive', async () => {
  const { id } = await waitingTransfer();
  ok(await office.ada.client.change('PUT', `/wallets/${wallet.id}/transfers/${id}/abort`, {}));
  await ended(office.ada.client, wallet.id, id);
  expect(await office.ada.client.change('POST', at('onchain-sign/input'), {})).toMatchObject({ status: 409 });
});

test('if the people at the device refuse every request, the group ends and its requests wait for the next one', async () => {
  const waiting = [await waitingTransfer(), await waitingTransfer()];
  const refused = await archive('onchain-sign/input', {});
  const refusing = jest.spyOn(device.screen, 'confirm').mockImplementation(async (question) => !question.startsWith('Sign'));
  const nothing = await signGroup(device.session(), { input: refused.text }).finally(() => refusing.mockRestore());
  const { status, body } = await submit('onchain-sign/output', nothing);
  expect([status, body]).toEqual([409, { error: expect.objectContaining({ id: 'NothingSigned' }) }]);
  for (const { id } of waiting) expect(await explained(id)).toMatchObject({ stage: 'OfflineSigning', offline: { group: null } });
});

test('after a crash of the service, the output of the archive from before the crash is accepted, once', async () => {
  const { client } = office.ada;
  const { text, input } = await archive('onchain-sign/input', {});
  const files = await signGroup(device.session(), { input: text });
  await installation.service.stop('SIGKILL');
  await installation.service.start();
  const forged = (files['output-file.json'] ?? '').replace(/"dateMade":"20/, '"dateMade":"19');
  expect(await submit('onchain-sign/output', { ...files, 'output-file.json': forged })).toMatchObject({ status: 400 });
  expect(ok(await submit('onchain-sign/output', files))).toEqual({ status: 'success' });
  expect(await submit('onchain-sign/output', files)).toMatchObject({ status: 409 });
  expect(input.task.kind === 'OnchainSign' && input.task.requests.length).toBe(2);
  for (const { requestId } of input.task.kind === 'OnchainSign' ? input.task.requests : []) {
    expect(await ended(client, wallet.id, requestId)).toMatchObject({ status: 'Confirmed' });
  }
  expect(await installation.sentBy(wallet.address)).toBe(3);
});

test('the device proves the control of the wallet, and the group returns a proof that anyone can verify', async () => {
  const { text, input } = await archive('proof-of-control/input', { walletIds: [wallet.id] });
  const files = await prove(device.session(), { input: text });
  expect(ok(await submit('proof-of-control/output', files))).toEqual({ status: 'success' });
  const group = ok(await office.ben.client.get(at(`fleet-operations/${input.groupId}`)));
  expect(group).toMatchObject({ status: 'Approved', proofs: [{ walletId: wallet.id, address: wallet.address }] });
  const file = join(folder, 'group.json');
  writeFileSync(file, JSON.stringify(group));
  const { stdout } = spawnSync(process.execPath, [join(ROOT, 'docs/examples/control-proofs.mjs'), file], { encoding: 'utf8' });
  expect(stdout).toMatch(new RegExp(`^proven ${wallet.address}: .*controls the address ${wallet.address} on EthereumSepolia`));
  expect(await submit('proof-of-control/output', files)).toMatchObject({ status: 409 });
});
