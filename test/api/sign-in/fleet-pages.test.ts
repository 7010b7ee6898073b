import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { canonical, digestOf } from '../../../platform/canonical';
import { cardDigest } from '../../../platform/fleets/cards';
import { inputDigest } from '../../../platform/fleets/inputs';
import { type FleetManifest, manifestDigest } from '../../../platform/fleets/manifests';
import type { OutputFile } from '../../../platform/fleets/outputs';
import { shortDigest } from '../../../platform/fleets/statement';
import { startApi, type TestApi } from '../../support/api';
import { launchBrowser } from '../../support/browser';
import { ceremonyOutput, createFleet, fleetInput, genesisTask, sealOutput } from '../../support/fleet-outputs';
import { contrastOf, DESKTOP, enter, type Look, openPage, PHONE, TEXT_CONTRAST_MIN, widthOf } from '../../support/sign-in-page';

jest.setTimeout(60_000);

let api: TestApi;
let browser: Browser;
beforeAll(async () => {
  [api, browser] = await Promise.all([startApi(), launchBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await api?.close();
});

const opened: Page[] = [];
afterEach(async () => {
  for (const page of opened.splice(0)) await page.context().close();
});

const STORE = 'ks-01m84-gdyzh-bfh4v0p1k5kt6mtb';
const GROUP = 'fg-01m84-gdyzh-bfh4v0p1k5kt6mtb';
const EARLIER = 'fg-01m83-gdyzh-bfh4v0p1k5kt6mtb';
const US = 'us-1';
const OTHER = 'us-2';
const THIRD = 'us-3';
const NOON = '2026-11-30T12:00:00.000Z';
const OUTPUT = 'output.json';
const FILE = 'output-file.json';

const hashOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const compact = (fingerprint: string) => fingerprint.replaceAll(' ', '');

const fleet = createFleet();
const input = fleetInput(genesisTask({ secp256k1: 2, ed25519: 1 }), null, { orgId: 'or-1', storeId: STORE, groupId: GROUP });
const [signer] = fleet.operators;
const ARCHIVE = canonical({ input, signed: signer?.state('input', input as never) } as never);
const made = ceremonyOutput({ fleet, input, head: null });
const parts = sealOutput(made) as { readonly outputJson: { readonly org_id: string }; readonly file: string };
const manifest = (made.output as OutputFile).manifest?.manifest as FleetManifest;
const jsonFile = (name: string, text: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
const FILES = [jsonFile(FILE, parts.file), jsonFile(OUTPUT, canonical(parts.outputJson))];

const members = (role: 'devices' | 'provisioners' | 'operators') =>
  manifest[role].map((card) => ({ serial: card.serial, fingerprint: shortDigest(cardDigest(card)) }));
const PROPOSAL = {
  outputDigest: 'ab'.repeat(32),
  device: members('devices')[0],
  manifest: {
    ...{ digest: manifestDigest(manifest), n: 0, threshold: 2 },
    ...{ devices: members('devices'), provisioners: members('provisioners'), operators: members('operators') },
    ...{ numSecp256k1: 2, numEd25519: 1 },
  },
  newKeys: 3,
};

const waiting = {
  ...{ groupId: GROUP, storeId: STORE, orgId: 'or-1', status: 'Initialized', createdBy: OTHER, dateCreated: NOON },
  ...{ endsAt: '2026-12-30T12:00:00.000Z' },
  operations: [{ operationId: 'fo-1', kind: 'Genesis', status: 'Initialized', dateCreated: NOON }],
};
const reviewed = { ...waiting, status: 'InReview', submittedBy: THIRD, dateSubmitted: NOON, proposal: PROPOSAL };
const ended = { ...waiting, groupId: EARLIER, status: 'Canceled', canceledBy: OTHER, dateCanceled: NOON, reason: 'not needed' };

type Sent = { readonly method: string; readonly path: string; readonly body: Buffer | null };

/** Logs in at a place of the page. The test supplies the answers of the service; changes are recorded. */
async function openGroup(group: object = waiting, look: Look = {}, place = `#group/${STORE}/${GROUP}`) {
  const page = await openPage(browser, api.url, place, look);
  opened.push(page);
  const sent: Sent[] = [];
  const stores = [
    { id: 'software', kind: 'Software', name: 'Software', primary: true },
    { id: STORE, kind: 'OfflineSigner', name: 'Vault one', primary: false },
  ];
  await page.route('**/key-stores', (route) => route.fulfill({ json: { items: stores } }));
  await page.route(`**/key-stores/${STORE}/**`, (route) => {
    const request = route.request();
    const { pathname, searchParams } = new URL(request.url());
    if (request.method() !== 'GET') {
      sent.push({ method: request.method(), path: pathname, body: request.postDataBuffer() });
      return route.fulfill({ json: { message: 'The output was verified and waits for a review.' } });
    }
    if (pathname.endsWith('/archive')) return route.fulfill({ json: ARCHIVE });
    if (pathname.endsWith(GROUP)) return route.fulfill({ json: group });
    const isSecond = searchParams.has('paginationToken');
    const third = { ...ended, groupId: 'fg-third', status: 'Approved', dateReviewed: NOON };
    return route.fulfill({ json: isSecond ? { items: [third] } : { items: [group, ended], nextPageToken: 'next/page' } });
  });
  await page.route('**/auth/action/init', (route) => {
    const asked = route.request().postDataJSON() as Record<string, string>;
    const commitment = {
      ...{ org: 'or-1', user: US, method: asked['userActionHttpMethod'], path: asked['userActionHttpPath'] },
      bodySha256: hashOf(asked['userActionPayload'] ?? ''),
    };
    const challenge = Buffer.concat([Buffer.alloc(16), Buffer.from(digestOf(commitment as never), 'hex')]).toString('base64url');
    const passkey = { rp: { id: 'localhost' }, allowCredentials: { webauthn: [] }, userVerification: 'required' };
    return route.fulfill({ json: { challenge, challengeIdentifier: 'x', commitment, ...passkey } });
  });
  await page.route('**/auth/action', (route) => route.fulfill({ json: { userAction: 'signed' } }));
  await enter(page, US);
  await page.locator('h1:not(:text("Log in"))').waitFor();
  return { page, sent };
}

const notice = (page: Page, text: string | RegExp) => page.locator('#notice', { hasText: text }).waitFor();
const row = (page: Page, name: string) =>
  page
    .locator('tr', { has: page.locator('th', { hasText: name }) })
    .locator('td')
    .first()
    .textContent();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const bodyOf = ({ body }: Sent): unknown => JSON.parse(String(body));

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  test.each([
    ['a phone', PHONE],
    ['a desktop', DESKTOP],
  ])('stores, group and review fit %s, and all of their text has enough contrast', async (_name, viewport) => {
    for (const [group, place] of [
      [waiting, '#fleets'],
      [waiting, `#group/${STORE}/${GROUP}`],
      [reviewed, `#group/${STORE}/${GROUP}`],
    ] as const) {
      const { page } = await openGroup(group, { viewport, colorScheme }, place);
      if (place !== '#fleets' && group === waiting) await page.getByLabel('The two files').setInputFiles(FILES);
      if (place !== '#fleets' && group === waiting) await page.locator('#output table').waitFor();
      expect(await widthOf(page)).toBe(viewport.width);
      for (const selector of ['h1', 'h2', 'main p', 'nav a', 'td', 'label', 'summary', 'form button']) {
        if ((await page.locator(selector).count()) === 0) continue;
        const isReadable = (await contrastOf(page, selector)) >= TEXT_CONTRAST_MIN;
        expect({ place, selector, isReadable }).toEqual({ place, selector, isReadable: true });
      }
    }
  });
});

test('the page lists the offline stores with the open group, its next step and its end, and the earlier groups', async () => {
  const { page } = await openGroup(waiting, {}, '#fleets');
  const text = (await page.locator('main').textContent()) ?? '';
  expect(text).toContain('Vault one');
  expect(text).not.toContain('Software');
  expect(text).toContain('Genesis: waits for the output of a device');
  expect(text).toMatch(/Until Dec 30, 2026, .+: an operator carries the archive to the device, which makes the master secret/);
  expect(await page.locator('ul a').allTextContents()).toEqual([expect.stringMatching(/^Genesis: canceled /)]);
  await press(page, 'Show earlier groups');
  await page.locator('ul li').nth(1).waitFor();
  expect(await page.locator('ul a').nth(1).textContent()).toMatch(/^Genesis: approved /);
  expect(await page.getByRole('button', { name: 'Show earlier groups' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Genesis: waits' }).click();
  await page.locator('#next').waitFor();
});

test('the link of a group first leads to the login and then to that group; a canceled group shows its reason and has no button', async () => {
  const { page } = await openGroup({ ...ended, groupId: GROUP });
  expect(new URL(page.url()).hash).toBe(`#group/${STORE}/${GROUP}`);
  const text = (await page.locator('main').textContent()) ?? '';
  expect(text).toContain('Reason: not needed');
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.locator('input, #next').count()).toBe(0);
});

test('the archive is saved byte for byte, with the fingerprint that the device shows', async () => {
  const { page } = await openGroup();
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Save the archive')]);
  expect(download.suggestedFilename()).toBe(`${GROUP}.json`);
  expect(readFileSync(await download.path(), 'utf8')).toBe(ARCHIVE);
  await page.locator('#archive table').waitFor();
  expect(await row(page, 'Input, as the device shows it')).toBe(compact(shortDigest(inputDigest(input))));
  expect(await row(page, 'SHA-256 of the file')).toBe(hashOf(ARCHIVE));
});

test.each(['groupId', 'storeId', 'orgId'])('an archive with another %s is not saved', async (member) => {
  const { page } = await openGroup();
  const other = canonical({ input: { ...input, [member]: 'another' }, signed: {} } as never);
  await page.route('**/archive', (route) => route.fulfill({ json: other }));
  const downloads: unknown[] = [];
  page.on('download', (one) => downloads.push(one));
  await press(page, 'Save the archive');
  await notice(page, 'The service has sent the archive of another group. Nothing was saved.');
  expect(downloads).toEqual([]);
});

test('both files are recognised in either order, compared, and submitted as a form whose part data the passkey signs', async () => {
  const { page, sent } = await openGroup();
  await page.getByLabel('The two files output.json and output-file.json').setInputFiles(FILES);
  await page.locator('#output table').waitFor();
  const [device] = manifest.devices;
  expect(await row(page, 'Fingerprint of the device')).toBe(device && compact(shortDigest(cardDigest(device))));
  expect(await row(page, 'Manifest')).toBe(compact(shortDigest(manifestDigest(manifest))));
  expect(await row(page, 'New keys')).toBe('3');
  expect(await row(page, `SHA-256 of ${FILE}`)).toBe(hashOf(parts.file));
  const actions: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/action/init')) actions.push(request.postDataJSON().userActionPayload as string);
  });
  await press(page, 'Submit with a passkey');
  await notice(page, 'The output was verified and waits for a review.');
  expect(sent.map(({ method, path }) => [method, path])).toEqual([['POST', `/key-stores/${STORE}/genesis/output`]]);
  expect(actions.map((text) => JSON.parse(text))).toEqual([{ fileChecksum: hashOf(parts.file), outputJson: parts.outputJson }]);
});

const otherParts = sealOutput(ceremonyOutput({ fleet, input: { ...input, groupId: 'fg-other' }, head: null })) as typeof parts;
const elsewhere = { ...parts.outputJson, org_id: 'or-2' };
test.each<[string, string, readonly ReturnType<typeof jsonFile>[]]>([
  ['only one of the files', 'Choose the two files that the device wrote', FILES.slice(0, 1)],
  ['the same part twice', 'Choose the two files that the device wrote', [jsonFile('a', parts.file), jsonFile('b', parts.file)]],
  ['files that are not JSON', 'Choose the two files that the device wrote', [jsonFile('a', '{'), jsonFile('b', '\ufeff')]],
  [
    'a file of more than 4 MiB',
    'Choose the two files that the device wrote',
    [jsonFile(OUTPUT, canonical(parts.outputJson)), jsonFile(FILE, `${parts.file}${' '.repeat(4 * 1024 * 1024)}`)],
  ],
  [
    'the file of another group',
    'These files are the output of another group.',
    [jsonFile(OUTPUT, canonical(parts.outputJson)), jsonFile(FILE, otherParts.file)],
  ],
  [
    'the JSON part of another group',
    'These files are the output of another group.',
    [jsonFile(OUTPUT, canonical(otherParts.outputJson)), jsonFile(FILE, parts.file)],
  ],
  [
    'the output of another organisation',
    'These files are the output of another group.',
    [jsonFile(OUTPUT, canonical(elsewhere)), jsonFile(FILE, parts.file)],
  ],
  [
    'two parts that do not belong together',
    'The two files do not belong together.',
    [jsonFile(OUTPUT, canonical({ ...parts.outputJson, fleet_label: 'Vault two' } as never)), jsonFile(FILE, parts.file)],
  ],
])('%s cannot be submitted', async (_name, message, files) => {
  const { page, sent } = await openGroup();
  await page.getByLabel('The two files').setInputFiles(FILES);
  await page.getByRole('button', { name: 'Submit with a passkey' }).waitFor();
  await page.getByLabel('The two files').setInputFiles([...files]);
  await notice(page, message);
  expect(await page.getByRole('button', { name: 'Submit with a passkey' }).count()).toBe(0);
  expect(sent).toEqual([]);
});

describe('a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'strongroom-output-'));
    for (const { name, buffer } of [...FILES, jsonFile('copy.json', parts.file), jsonFile('record.txt', 'x')])
      writeFileSync(join(folder, name), buffer);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('may contain further files; the page takes the two files of the output by their names', async () => {
    const { page } = await openGroup();
    await page.getByLabel('Or the folder that the device wrote').setInputFiles(folder);
    await page.getByRole('button', { name: 'Submit with a passkey' }).waitFor();
    expect(await row(page, `SHA-256 of ${FILE}`)).toBe(hashOf(parts.file));
  });

  test('with two outputs is refused', async () => {
    const { page } = await openGroup();
    mkdirSync(join(folder, 'earlier'));
    writeFileSync(join(folder, 'earlier', OUTPUT), canonical(parts.outputJson));
    await page.getByLabel('Or the folder that the device wrote').setInputFiles(folder);
    await notice(page, 'Choose the two files that the device wrote');
    expect(await page.getByRole('button', { name: 'Submit with a passkey' }).count()).toBe(0);
  });
});

const FINGERPRINT = shortDigest(manifestDigest(manifest));
test('the reviewer compares every member with paper, and the page never shows the fingerprint that the reviewer types', async () => {
  const { page, sent } = await openGroup(reviewed);
  for (const role of ['devices', 'provisioners', 'operators'] as const)
    for (const { serial, fingerprint } of members(role)) expect(await row(page, ` ${serial}`)).toBe(compact(fingerprint));
  const text = compact((await page.locator('body').textContent()) ?? '');
  expect(text).not.toContain(compact(FINGERPRINT).slice(0, 8));
  expect(text).toContain('Threshold2of3');

  const typed = page.getByLabel('Fingerprint of the manifest, from paper');
  const last = FINGERPRINT.endsWith('0') ? '1' : '0';
  for (const wrong of [`${FINGERPRINT.slice(0, -1)}${last}`, FINGERPRINT.slice(0, -1), '-', manifestDigest(manifest).slice(1)]) {
    await typed.fill(wrong);
    await press(page, 'Approve with a passkey');
    await notice(page, 'This is not the fingerprint of this output.');
    await page.locator('button[disabled]').waitFor({ state: 'detached' });
  }
  expect(sent).toEqual([]);
  const end = await page.evaluate<number>("document.querySelector('#notice').getBoundingClientRect().bottom");
  expect(end).toBeLessThanOrEqual(PHONE.height);
  await typed.fill(` ${FINGERPRINT.toUpperCase()} `);
  await press(page, 'Approve with a passkey');
  await notice(page, 'Approved. The fleet has its new manifest.');
  const path = `/key-stores/${STORE}/fleet-operations/${GROUP}/approve`;
  expect(sent.map((one) => [one.path, bodyOf(one)])).toEqual([[path, { manifest: manifestDigest(manifest) }]]);
});

test.each([
  ['made the group', { createdBy: US }],
  ['submitted the output', { submittedBy: US }],
])('a person who %s can cancel the group and not review it', async (_name, own) => {
  const { page, sent } = await openGroup({ ...reviewed, ...own });
  expect(await page.locator('#next').textContent()).toContain('You can only cancel the group.');
  expect(await page.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0);
  await page.getByText('Cancel this group').click();
  await press(page, 'Cancel with a passkey');
  expect(sent).toEqual([]);
  await page.getByLabel('Reason, which others will read').fill('The paper is lost');
  await press(page, 'Cancel with a passkey');
  await notice(page, 'Canceled.');
  expect(sent.map((one) => [one.path, bodyOf(one)])).toEqual([
    [`/key-stores/${STORE}/fleet-operations/cancel`, { groupId: GROUP, reason: 'The paper is lost' }],
  ]);
});

test('a reviewer rejects with a reason', async () => {
  const { page, sent } = await openGroup(reviewed);
  await page.getByText('Reject the output', { exact: true }).click();
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Reject with a passkey' }) });
  await form.getByLabel('Reason, which others will read').fill('P-2 differs');
  await press(page, 'Reject with a passkey');
  await notice(page, 'Rejected.');
  const path = `/key-stores/${STORE}/fleet-operations/${GROUP}/reject`;
  expect(sent.map((one) => [one.path, bodyOf(one)])).toEqual([[path, { reason: 'P-2 differs' }]]);
});

test('a group whose approval is on its way can only be shown again; a failed approval shows why', async () => {
  const { page } = await openGroup({ ...reviewed, reviewedBy: OTHER, dateReviewed: NOON });
  expect(await page.getByRole('button').allTextContents()).toEqual(['Show the state again']);
  const failed = await openGroup({ ...reviewed, hindrance: 'The signer refused the order: UnknownStore' });
  expect(await failed.page.locator('main').textContent()).toContain('The last approval failed: The signer refused the order');
});

test('a refused output is shown with the failed check, and can be replaced', async () => {
  const { page } = await openGroup();
  const error = { message: 'The device must have signed the file.', details: { check: 'DeviceSignature', groupId: GROUP } };
  await page.route('**/genesis/output', (route) => route.fulfill({ status: 400, json: { error } }));
  await page.getByLabel('The two files').setInputFiles(FILES);
  await press(page, 'Submit with a passkey');
  await notice(page, /waits for another\. The device must have signed the file\. \(DeviceSignature\)$/);
  expect(await page.locator('#notice').getAttribute('data-kind')).toBe('fault');
  expect(await page.getByRole('button', { name: 'Submit with a passkey' }).isEnabled()).toBe(true);
});

test('a link to the place that the page shows asks the service again', async () => {
  const { page } = await openGroup(waiting, {}, '#fleets');
  await page.route(`**/fleet-operations`, (route) => route.fulfill({ json: { items: [] } }));
  await page.getByRole('link', { name: 'Key stores' }).click();
  await page.getByText('No group is open.').waitFor();
});

test('signatures of a device are shown with the number of requests, and submitted to the place of their kind', async () => {
  const operations = ['a', 'b'].map((id) => ({ operationId: id, kind: 'OnchainSign', status: 'Initialized', dateCreated: NOON }));
  const { page, sent } = await openGroup({ ...waiting, operations });
  expect(await page.locator('h1').textContent()).toBe('Signatures (2): waits for the output of a device');
  const signed = { signer_public_key: 'ab', exact_bytes_signed: 'cd', signature: 'ef' };
  const outputJson = {
    ...{ type: 'keystore-output', version: 1, org_id: 'or-1', fleet_id: 'fl-1', keystore_id: STORE, group_id: GROUP },
    status: 'partial',
    outputs: {
      a: { type: 'onchain-sign-v1', result: { success: { 0: signed } } },
      b: { type: 'onchain-sign-v1', result: { fail: { message: 'no', code: 'Rule' } } },
    },
  };
  const { file } = sealOutput({
    ...made,
    outputJson: outputJson as never,
    output: { ...(made.output as OutputFile), manifest: null },
  });
  await page.getByLabel('The two files').setInputFiles([jsonFile(OUTPUT, canonical(outputJson)), jsonFile(FILE, file)]);
  await page.locator('#output table').waitFor();
  expect(await row(page, 'Requests')).toBe('1 signed, 1 refused by the device');
  await page.route('**/onchain-sign/output', (route) => route.fulfill({ json: { status: 'partial' } }));
  await press(page, 'Submit with a passkey');
  await notice(page, 'The output was accepted. Its status is partial.');
  expect(sent).toEqual([]);
});

test('the whole review works with the keyboard alone', async () => {
  const { page, sent } = await openGroup(reviewed);
  await page.getByLabel('Fingerprint of the manifest, from paper').focus();
  await page.keyboard.type(FINGERPRINT);
  await page.keyboard.press('Enter');
  await notice(page, 'Approved.');
  expect(sent).toHaveLength(1);
});
