import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, SCRIPTS } from '../scripts/script';
import { Client } from '../support/client';
import { createKeyCredential } from '../support/key-credentials';
import { createService, type Service } from '../support/service';
import { ended, fundedWallet, holdPolicy, ok, RECIPIENT, send, type TransferBody, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(420_000);

let service: Service;
let wallet: WalletBody;
beforeAll(async () => {
  service = await createService();
  await service.start();
  wallet = await fundedWallet(service, service.client('admin'));
});
afterAll(() => service?.close());

const file = (name: string) => join(service.dataFolder, 'mails', name);
const { STRONGROOM_CACHE } = process.env;
/**
 * The operator's commands get only the data folder, and find the ports there. A restore also gets the ports,
 * because the data folder does not contain them yet.
 */
const environment = (name: string) =>
  name === 'operator.mjs'
    ? { STRONGROOM_DATA: service.dataFolder, NODE_ENV: 'development' }
    : { ...service.env, ...(STRONGROOM_CACHE === undefined ? {} : { STRONGROOM_CACHE }) };
const script = async (name: string, ...words: string[]) => {
  const { code, output } = await run([join(SCRIPTS, name), ...words], environment(name));
  if (code !== 0) throw new Error(`${name} ${words.join(' ')} ended with ${code}:\n${output}`);
  return output;
};
const received = async () => BigInt((await service.rpc('eth_getBalance', [RECIPIENT, 'latest'])) as string);
const pay = (body: Readonly<Record<string, unknown>>) =>
  service.client('admin').change('POST', `/wallets/${wallet.id}/transfers`, { kind: 'Native', to: RECIPIENT, ...body });
const paid = async (body: Readonly<Record<string, unknown>>): Promise<TransferBody> => {
  const { id } = await send(service.client('admin'), wallet.id, body);
  const end = await ended(service.client('admin'), wallet.id, id);
  expect(end.status).toBe('Confirmed');
  return end;
};
/** Removes the whole data folder of the deployment except the chain, the files that people keep, and the files in `kept`. */
const lose = (...kept: string[]) => {
  const stays = new Set(['chain', 'first-run.json', 'mails', ...kept]);
  for (const name of readdirSync(service.dataFolder)) {
    if (!stays.has(name)) rmSync(join(service.dataFolder, name), { recursive: true, force: true });
  }
};
const nameIn = (output: string) => /--release (\w+)/.exec(output)?.[1] ?? '';
/** Announces a change as a client, and returns the answer. */
const announced = () => service.client('admin').announce('POST', `/wallets/${wallet.id}/transfers`, '{}');
const released = () => waitUntil('the service to learn of its release', async () => (await announced()).status === 200, 20_000);

test('after the restore of a five-minute-old database, the retries of all clients do not cause a second payment', async () => {
  const first = await paid({ amount: '101', externalId: 'first' });
  const other = await fundedWallet(service, service.client('admin'));
  await holdPolicy(service.client('admin'), other.id, { approvers: { userId: { in: [service.userId('approver')] } } });
  const held = await send(service.client('admin'), other.id);
  await script('operator.mjs', 'backup', '--to', file('archive'));
  const shares = (await script('operator.mjs', 'keys:escrow', '--shares', '5', '--threshold', '3'))
    .split(/\n(?=# share )/)
    .slice(1);
  expect(shares).toHaveLength(5);
  const checked = await script('restore.mjs', '--from', file('archive'), '--check-only');
  expect(checked).toMatch(
    /is complete and belongs to deployment[\s\S]*A restore to this data folder would be refused: .* is not empty \(postgres/,
  );
  await paid({ amount: '202', externalId: 'second' });
  await paid({ amount: '303' });
  const before = await received();

  await service.stop();
  lose('signer');
  writeFileSync(file('two'), shares.slice(0, 2).join('\n'));
  writeFileSync(file('three'), shares.slice(2).join('\n'));
  await expect(script('restore.mjs', '--from', file('archive'), '--shares', file('two'))).rejects.toThrow(
    /1 of the 3 required shares missing/,
  );
  expect(readdirSync(service.dataFolder).sort()).toEqual(['chain', 'first-run.json', 'mails', 'signer']);
  const restored = await script('restore.mjs', '--from', file('archive'), '--shares', file('three'));
  expect(restored).toMatch(/2 derived again, each matches its wallet[\s\S]*its own folder is newer[\s\S]*FROZEN/);

  await service.start();
  expect(await announced()).toMatchObject({ status: 503, body: { error: { id: 'Frozen' } } });
  expect(ok(await service.client('admin').get(`/wallets/${wallet.id}/transfers/${first.id}`))).toMatchObject({
    status: 'Confirmed',
  });
  const report = await script('operator.mjs', 'reconcile');
  expect(report.match(/^Forgotten .*Used$/gm)).toHaveLength(2);
  await expect(script('operator.mjs', 'reconcile', '--release', 'somethingelse')).rejects.toThrow(/The deployment stays frozen/);
  expect(await script('operator.mjs', 'reconcile', '--release', nameIn(report))).toMatch(
    /RELEASED\. Repetitions of 2 forgotten payments are refused/,
  );
  await released();

  for (const again of [{ amount: '202', externalId: 'second' }, { amount: '303' }]) {
    expect(await pay(again)).toMatchObject({ status: 409, body: { error: { id: 'PaidBeforeRestore' } } });
  }
  expect(ok(await pay({ amount: '101', externalId: 'first' }))).toMatchObject({ id: first.id });
  expect(await received()).toBe(before);
  const decisions = `/v2/policy-approvals/${held.approvalId}/decisions`;
  ok(await service.client('approver').change('POST', decisions, { value: 'Approved' }));
  // The transfer confirms without housekeeping, which looks only at transfers that are ten minutes old.
  expect(await ended(service.client('admin'), other.id, held.id)).toMatchObject({ status: 'Confirmed' });
  expect(await received()).toBe(before + 1_000n);
  await paid({ amount: '404', externalId: 'fourth' });
  expect(await received()).toBe(before + 1_404n);
});

test('a deployment is restored from only the archive and the key shares, and pays from the same address', async () => {
  await script('operator.mjs', 'backup', '--to', file('later'));
  const shares = await script('operator.mjs', 'keys:escrow', '--shares', '2', '--threshold', '2');
  writeFileSync(file('shares'), shares);
  await service.stop();
  lose();

  const began = performance.now();
  await script('restore.mjs', '--from', file('later'), '--shares', file('shares'));
  await service.start();
  const report = await script('operator.mjs', 'reconcile');
  expect(report).toContain('They agree.');
  await script('operator.mjs', 'reconcile', '--release', nameIn(report));
  await released();
  expect((performance.now() - began) / 1_000).toBeLessThan(90);
  expect(ok(await service.client('admin').get(`/wallets/${wallet.id}`))).toMatchObject({ address: wallet.address });
  await paid({ amount: '505', externalId: 'fifth' });
});

test('a restore without the first-run file creates nothing, and org:reissue gives an administrator access again', async () => {
  const { baseUrl, orgId } = service.firstRun();
  await script('operator.mjs', 'backup', '--to', file('last'));
  writeFileSync(file('last-shares'), await script('operator.mjs', 'keys:escrow', '--shares', '2', '--threshold', '2'));
  await service.stop();
  lose();
  const firstRunFile = join(service.dataFolder, 'first-run.json');
  const before = readFileSync(firstRunFile, 'utf8');
  rmSync(firstRunFile);
  await script('restore.mjs', '--from', file('last'), '--shares', file('last-shares'));

  await service.start();
  expect(service.log()).toMatch(/Nothing was created: this database was restored and holds 1 organisation\./);
  expect(service.log()).toMatch(new RegExp(`${orgId} +Local trial: admin@strongroom.local, approver@strongroom.local`));
  expect(existsSync(firstRunFile)).toBe(false);
  const reissue = () => script('operator.mjs', 'org:reissue', '--org', orgId, '--user', 'admin@strongroom.local');
  await expect(reissue()).rejects.toThrow(/Release the deployment first/);
  await script('operator.mjs', 'reconcile', '--release', nameIn(await script('operator.mjs', 'reconcile')));

  const say = async (path: string, body: unknown, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const registrationCode = /Code\s+(\S+)/.exec(await reissue())?.[1];
  const named = { orgId, username: 'admin@strongroom.local' };
  const begun = await waitUntil('the service to learn of its release', async () => {
    const { status, body } = await say('/auth/registration/init', { ...named, registrationCode });
    return status === 200 && body;
  });
  const keys = generateKeyPairSync('ed25519');
  const key = createKeyCredential('Key', keys);
  const credentials = { firstFactorCredential: key.attest(begun['challenge'] ?? '') };
  expect((await say('/auth/registration', credentials, begun['temporaryAuthenticationToken'])).status).toBe(200);
  const { challenge = '', challengeIdentifier } = (await say('/auth/login/init', named)).body;
  const { token = '' } = (await say('/auth/login', { challengeIdentifier, firstFactor: key.assert(challenge) })).body;
  const admin = new Client(baseUrl, { token, credId: key.credId, privateKey: keys.privateKey });
  expect((await admin.change('PUT', '/organizations/settings', { approvalMails: false })).status).toBe(200);

  // The earlier first-run file still contains the id of the organisation, so a later start can use that file.
  await service.stop();
  writeFileSync(firstRunFile, before, { mode: 0o600 });
  await service.start();
  expect(service.firstRun().orgId).toBe(orgId);
  expect(service.log()).not.toContain('Nothing was created');
});
