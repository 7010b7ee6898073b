import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { genesis } from '../../offline-signer/ceremonies/genesis';
import type { Files } from '../../offline-signer/session';
import { KEY_STORE_COMMANDS } from '../../operator/key-store-commands';
import { SignedInput } from '../../platform/fleets/inputs';
import { shortDigest } from '../../platform/fleets/statement';
import { type Installation, type Office, type Person, startInstallation } from '../red-team/installation';
import { launchBrowser, virtualAuthenticators } from '../support/browser';
import { createRoom, type Machine } from '../support/offline-fleet';
import { DESKTOP, PHONE, widthOf } from '../support/sign-in-page';
import { ok } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(300_000);

const GENESIS = { kind: 'Genesis', numProvisioners: 2, numSecp256k1: 3, numEd25519: 2, hsmGenesisSerial: 'D-1' };

const room = createRoom();
const folder = mkdtempSync(join(tmpdir(), 'strongroom-page-'));
let installation: Installation;
let browser: Browser;
let office: Office;
let storeId: string;
let device: Machine;
let provisioners: readonly Machine[];
let operator: Machine;
/** Ada carries the files with her phone, and Ben reviews at a desk. */
let phone: Page;
let desk: Page;

beforeAll(async () => {
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  office = await installation.createOffice('december');
  const { ada, ben } = office;
  const { items } = ok(await ada.client.get('/permissions')) as { readonly items: readonly { id: string; name: string }[] };
  const full = items.find(({ name }) => name === 'ManagedFullAdminAccess')?.id;
  ok(await ada.client.change('POST', `/permissions/${full}/assignments`, { identityId: ben.userId }));
  storeId = await addedStore();
  device = await room.machine('Device', 'D-1');
  operator = await room.machine('Operator', 'M-1');
  provisioners = [await room.machine('Provisioner', 'P-1'), await room.machine('Provisioner', 'P-2')];
  phone = await pageOf(ada, PHONE);
  desk = await pageOf(ben, DESKTOP);
}, 300_000);
afterAll(async () => {
  await browser?.close();
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

/** Gives the person a passkey of this browser, and logs in with it. */
async function pageOf({ client, username }: Person, viewport: typeof PHONE): Promise<Page> {
  const page = await (await browser.newContext({ viewport })).newPage();
  await (await virtualAuthenticators(page))();
  await page.goto(`${installation.baseUrl.replace('127.0.0.1', 'localhost')}/sign-in#fleets`);
  const challenge = ok(await client.post('/auth/credentials/init', { kind: 'Fido2' })) as {
    readonly challengeIdentifier: string;
  };
  const made = await page.evaluate<object>(
    `import('/sign-in/passkeys.js').then(({ createPasskey }) => createPasskey(${JSON.stringify(challenge)}, 'Phone'))`,
  );
  const { challengeIdentifier } = challenge;
  ok(await client.change('POST', '/auth/credentials', { ...made, challengeIdentifier }));
  await page.getByLabel('Organisation').fill(office.orgId);
  await page.getByLabel('E-mail').fill(username);
  await press(page, 'Log in with a passkey');
  await page.getByRole('heading', { name: 'Vault one' }).waitFor();
  return page;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const notice = (page: Page, text: string) => page.locator('#notice', { hasText: text }).waitFor();
const heading = (page: Page, text: string) => page.getByRole('heading', { name: text }).waitFor();
const openGroup = async (page: Page, state: string) => {
  await page.getByRole('link', { name: 'Key stores' }).click();
  await page.getByRole('link', { name: state }).click();
  await heading(page, state);
};

const begin = async (): Promise<void> => {
  ok(await office.ada.client.change('POST', `/key-stores/${storeId}/genesis/input`, GENESIS));
};

/** Saves the archive on the phone, carries it to the device, and returns what the device writes. */
async function carried(): Promise<Files> {
  const [download] = await Promise.all([phone.waitForEvent('download'), press(phone, 'Save the archive')]);
  const input = readFileSync(await download.path(), 'utf8');
  const { input: asked, signed } = SignedInput.parse(JSON.parse(input));
  room.paper.set(`the signer ${asked.signerId}`, shortDigest(signed.by));
  const cards = { provisioners: provisioners.map(({ cardText }) => cardText), operator: operator.cardText };
  const files = await genesis(device.session(), { input, ...cards, noDice: false });
  const shown = device.screen.said.join('\n');
  const digest = (await phone.locator('#archive code').first().textContent()) ?? '';
  expect(shown).toContain(shortDigest(digest));
  return files;
}

async function choose(files: Files): Promise<void> {
  const media = Object.entries(files).map(([name, text]) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) }));
  await phone.getByLabel('The two files').setInputFiles(media);
  await phone.getByRole('button', { name: 'Submit with a passkey' }).waitFor();
}

/** The fingerprint of the manifest, as the screen of the device showed it last. */
const onPaper = (): string =>
  device.screen.said.map((line) => /^Manifest +(.+)$/.exec(line)?.[1]).findLast((one) => one !== undefined) ?? '';

test('an output is carried by the phone: a forged one is refused with the failed check, and the genuine one waits for a review', async () => {
  await begin();
  await openGroup(phone, 'Genesis: waits for the output of a device');
  const files = await carried();
  await choose({ ...files, 'output-file.json': (files['output-file.json'] ?? '').replace(/"dateMade":"20/, '"dateMade":"19') });
  await press(phone, 'Submit with a passkey');
  await notice(phone, 'the group waits for another. The device must have signed the file. (DeviceSignature)');
  await choose(files);
  expect(await widthOf(phone)).toBe(PHONE.width);
  await press(phone, 'Submit with a passkey');
  await notice(phone, 'The output was verified and waits for a review.');
  await heading(phone, 'Genesis: waits for a review');
  expect(await phone.locator('#next').textContent()).toContain('You can only cancel the group.');
  expect(await phone.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0);
});

test('another person rejects it with a reason, and the device makes another manifest for the next group', async () => {
  await openGroup(desk, 'Genesis: waits for a review');
  await desk.locator('summary', { hasText: 'Reject the output' }).click();
  const form = desk.locator('form', { has: desk.getByRole('button', { name: 'Reject with a passkey' }) });
  await form.getByLabel('Reason, which others will read').fill('P-2 was absent');
  await press(desk, 'Reject with a passkey');
  await notice(desk, 'Rejected. The fleet stays as it was.');
  // The notice appears before the page has asked the service again.
  await heading(desk, 'Genesis: rejected');
  const rejected = (await desk.locator('main').textContent()) ?? '';
  for (const words of ['Reason: P-2 was absent', 'Members in the output, which were not accepted'])
    expect(rejected).toContain(words);
  await begin();
  await openGroup(phone, 'Genesis: waits for the output of a device');
  await choose(await carried());
  await press(phone, 'Submit with a passkey');
  await notice(phone, 'The output was verified and waits for a review.');
});

test('the reviewer compares the members with the cards, types the fingerprint from the screen of the device, and approves', async () => {
  await openGroup(desk, 'Genesis: waits for a review');
  const shown = (await desk.locator('#proposal').textContent()) ?? '';
  for (const machine of [device, operator, ...provisioners]) {
    const name = { Device: 'Device', Operator: 'Operator', Provisioner: 'Provisioner' }[machine.card.role];
    const serial = machine.card.serial;
    const written = room.paper.get(`the new member ${serial}`)?.replaceAll(' ', '');
    expect(shown).toContain(`${name} ${serial}${written}`);
  }
  await desk.getByLabel('Fingerprint of the manifest, from paper').fill(onPaper());
  await press(desk, 'Approve with a passkey');
  await notice(desk, 'Approved. The fleet has its new manifest.');
  await heading(desk, 'Genesis: approved');
  await desk.getByRole('link', { name: 'All groups' }).click();
  await desk.getByText('No group is open.').waitFor();
  expect(await desk.locator('ul a').allTextContents()).toEqual([
    expect.stringMatching(/^Genesis: approved/),
    expect.stringMatching(/^Genesis: rejected/),
  ]);
});

test('a group that is not needed is canceled on the phone with a reason', async () => {
  const asked = { kind: 'AddMacUser', macTargetSerial: 'M-2', hsmTargetSerial: 'D-1' };
  ok(await office.ada.client.change('POST', `/key-stores/${storeId}/add-mac-user/input`, asked));
  await openGroup(phone, 'New operator: waits for the output of a device');
  await phone.locator('summary', { hasText: 'Cancel this group' }).click();
  await phone.getByLabel('Reason, which others will read').fill('M-2 is broken');
  await press(phone, 'Cancel with a passkey');
  await notice(phone, 'Canceled.');
  await heading(phone, 'New operator: canceled');
  expect(await phone.locator('main').textContent()).toContain('Canceled byyou, ');
});
