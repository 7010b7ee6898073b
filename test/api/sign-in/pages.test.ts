import type { Browser, Page } from 'playwright-core';
import { digestOf } from '../../../platform/canonical';
import { startApi, type TestApi } from '../../support/api';
import { launchBrowser } from '../../support/browser';
import {
  CHALLENGE,
  contrastOf,
  DESKTOP,
  enter,
  type Look,
  logIn,
  openPage,
  PHONE,
  TEXT_CONTRAST_MIN,
  widthOf,
} from '../../support/sign-in-page';
import { approvalOf, transferOf } from '../../support/smart-account';

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

const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const APPROVAL = 'ap-01m84-gdyzh-bfh4v0p1k5kt6mtb';
const ASSET = { symbol: 'ETH', decimals: 18, verified: true };
const POLICY = 'plc-01m84-gdyzh-bfh4v0p1k5kt6mtb';
const VOTER = 'us-01m84-gdyzh-bfh4v0p1k5kt6mtb';
const SPONSOR = {
  feeSponsorId: 'fs-01m84-gdyzh-bfh4v0p1k5kt6mtb',
  name: 'Treasury',
  address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
};
const FEE = { ceilingUnits: '10000000000000000', decimals: 18, symbols: ['ETH'], sponsor: null };

const committed = {
  v: 1,
  envelope: {
    network: 'EthereumSepolia',
    asset: { kind: 'Native' },
    from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    to: RECIPIENT,
    amountUnits: '1500000000000001',
    feeCeilingUnits: '10000000000000000',
  },
  groups: [{ policyId: POLICY, quorum: 1, voterIds: [VOTER] }],
};

/** The parts of the service's answers that a test can replace. */
type Said = {
  readonly asset?: object;
  readonly fee?: object;
  readonly status?: string;
  readonly requestBody?: object;
  readonly shown?: Parameters<typeof digestOf>[0];
};

const explanationOf = ({ fee = FEE }: Said) => ({
  summary: 'The transfer was denied by Anna.',
  initiator: { userId: 'us-1', name: 'Ben' },
  policies: [{ policyId: POLICY, name: 'Large payments' }],
  approval: { groups: [{ policyId: POLICY, policyName: 'Large payments', people: [{ userId: VOTER, name: 'Anna' }] }] },
  fee,
});

const CREDENTIALS = [
  { name: 'Passkey', kind: 'Fido2', isActive: true, dateCreated: '2026-11-23T12:00:00.000Z' },
  {
    name: 'A long name that somebody gave to the recovery kit of last year',
    kind: 'RecoveryKey',
    isActive: true,
    dateCreated: '2026-11-23T12:00:00.000Z',
  },
];

const opened: Page[] = [];
afterEach(async () => {
  for (const page of opened.splice(0)) await page.context().close();
});

async function open(place: string, look: Look = {}): Promise<Page> {
  const page = await openPage(browser, api.url, place, look);
  opened.push(page);
  return page;
}

/** Opens the page of the approval as a logged-in user. The test supplies the answers of the service. */
async function openApproval(look: Look = {}, said: Said = {}): Promise<Page> {
  const page = await open(`#approval/${APPROVAL}`, look);
  await showApproval(page, said);
  await page.locator('#envelope').waitFor();
  return page;
}

/** Logs in on a page that was opened through the link of an approval. */
async function showApproval(page: Page, said: Said = {}): Promise<void> {
  const { asset = ASSET, status = 'Pending', requestBody = {}, shown = committed } = said;
  const transferRequest = { network: 'EthereumSepolia', requestBody, metadata: { asset } };
  const approval = {
    id: APPROVAL,
    status,
    activity: { kind: 'Wallets:Sign', transferRequest },
    dateCreated: '2026-11-23T12:00:00.000Z',
  };
  await page.route('**/v2/policy-approvals/**', (route) => {
    const answers: Readonly<Record<string, object>> = {
      evidence: { approvalId: APPROVAL, digest: digestOf(shown), committed: shown },
      explain: explanationOf(said),
    };
    return route.fulfill({ json: answers[route.request().url().split('/').at(-1) ?? ''] ?? approval });
  });
  await page.route('**/v2/policy-approvals?*', (route) => route.fulfill({ json: { items: [approval] } }));
  await page.route('**/auth/credentials', (route) => route.fulfill({ json: { items: CREDENTIALS } }));
  await enter(page);
}

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  test.each([
    ['a phone', PHONE],
    ['a desktop', DESKTOP],
  ])(
    'the approval page fits %s, and shows the recipient in groups of characters on at most two lines',
    async (_name, viewport) => {
      const page = await openApproval({ viewport, colorScheme });
      expect(await widthOf(page)).toBeLessThanOrEqual(viewport.width);
      const cell = page.locator('#envelope tr', { has: page.locator('th', { hasText: 'Recipient' }) }).locator('td');
      expect(await cell.textContent()).toBe(RECIPIENT);
      const tops = await cell.locator('.group').evaluateAll((groups) => groups.map((one) => one.getBoundingClientRect().top));
      expect(tops).toHaveLength(Math.ceil(RECIPIENT.length / 4));
      expect(new Set(tops).size).toBeLessThanOrEqual(2);
    },
  );

  test('the approval page and the account page fit a phone, and all of their text has enough contrast', async () => {
    const page = await openApproval({ colorScheme }, { fee: { ...FEE, sponsor: SPONSOR } });
    expect(await widthOf(page)).toBe(PHONE.width);
    for (const selector of ['h1', 'th', 'td', 'code', 'summary', '.actions button', '.actions .second', 'nav a'])
      expect({ selector, isReadable: (await contrastOf(page, selector)) >= TEXT_CONTRAST_MIN }).toEqual({
        selector,
        isReadable: true,
      });
    await page.click('nav a');
    await page.locator('#waiting a').waitFor();
    expect(await widthOf(page)).toBe(PHONE.width);
    for (const selector of ['#waiting a', '#credentials td', '.actions .second'])
      expect({ selector, isReadable: (await contrastOf(page, selector)) >= TEXT_CONTRAST_MIN }).toEqual({
        selector,
        isReadable: true,
      });
  });

  test('each page fits a phone, and buttons, links and error messages have enough contrast', async () => {
    for (const place of ['#login', '#register', '#recover']) {
      const page = await open(place, { colorScheme });
      await page.locator('form').first().waitFor();
      expect([place, await widthOf(page)]).toEqual([place, PHONE.width]);
      await page.evaluate("import('/sign-in/elements.js').then(({ say }) => say('A fault', 'fault'))");
      for (const selector of ['form button', 'nav a', '#notice']) {
        expect(await contrastOf(page, selector)).toBeGreaterThanOrEqual(TEXT_CONTRAST_MIN);
      }
    }
  });
});

test('the amount is shown in smallest and in whole units; the symbol is shown only for a verified asset', async () => {
  const rows = async (asset: object) => (await openApproval({}, { asset })).locator('#envelope').textContent();
  expect(await rows(ASSET)).toMatch(/smallest units1500000000000001Amount, as the service reads it0\.001500000000000001 ETH/);
  expect(await rows({ ...ASSET, symbol: 'USDC', verified: false })).toContain(
    '0.001500000000000001 of an asset that is not verified',
  );
  expect(await rows({ verified: false })).not.toContain('Amount, as the service reads it');
});

test('the highest fee is shown in smallest and in whole units, with the sponsor who pays the fee', async () => {
  const table = async (fee: object) => (await openApproval({}, { fee })).locator('#envelope').textContent();
  const own = await table(FEE);
  expect(own).toMatch(/Highest fee, in smallest units10000000000000000Highest fee, as the service reads it0\.01 ETH$/);
  const sponsored = await table({ ...FEE, symbols: ['CELO', 'cUSD'], sponsor: SPONSOR });
  expect(sponsored).toContain('as the service reads it0.01 CELO or cUSD');
  expect(sponsored).toContain(
    `Fee sponsor, as the service reads it${SPONSOR.name} (${SPONSOR.feeSponsorId})Its address, as the service reads it${SPONSOR.address}`,
  );
  expect(await table({ ...FEE, sponsor: { ...SPONSOR, name: null, address: null } })).toMatch(
    new RegExp(`Fee sponsor, as the service reads it${SPONSOR.feeSponsorId}$`),
  );
});

test('a request cannot be decided if its body and its record contain different sponsors', async () => {
  const page = await open(`#approval/${APPROVAL}`);
  await showApproval(page, { fee: { ...FEE, sponsor: SPONSOR }, requestBody: { feeSponsorId: 'fs-2' } });
  await page.locator('#notice', { hasText: 'names the fee sponsor fs-2, but its record names another one' }).waitFor();
  expect(await page.getByRole('button').count()).toBe(0);
});

test('policies and people are shown with their names; an approval that has ended is shown with its outcome and without buttons', async () => {
  const pending = await openApproval();
  expect(await pending.locator('main').textContent()).toContain('Ben asks: Transfer on EthereumSepolia.');
  const details = await pending.locator('details').textContent();
  expect(details).toContain(`${POLICY} (Large payments)`);
  expect(details).toContain(`Group · 1 · may approve · 1${VOTER} (Anna)`);
  const ended = await openApproval({}, { status: 'Denied' });
  expect(await ended.locator('main').textContent()).toContain('The transfer was denied by Anna.');
  expect(await ended.getByRole('button').count()).toBe(0);
});

test('a session that has ended leads to the login', async () => {
  const page = await openApproval();
  await page.route('**/v2/policy-approvals?*', (route) =>
    route.fulfill({ status: 401, json: { error: { message: 'Unauthorized' } } }),
  );
  await page.click('nav a');
  await page.locator('#notice', { hasText: 'Your session has ended. Log in again.' }).waitFor();
  expect(await page.locator('h1').textContent()).toBe('Log in');
});

test('after a refused registration the page shows what to check, and not what was wrong', async () => {
  const page = await open('#register/or-1/anna');
  await page.route('**/auth/registration/init', (route) =>
    route.fulfill({ status: 401, json: { error: { message: 'Not Authorized.' } } }),
  );
  const form = page.locator('form').first();
  await form.locator('[name=username]').fill('anna@example.com');
  await form.locator('[name=registrationCode]').fill('000-000-000');
  await form.getByRole('button').click();
  await page.locator('#notice[data-kind=fault]:not(:empty)').waitFor();
  expect(await page.locator('#notice').textContent()).toMatch(/^Not Authorized\. Check organisation, e-mail and code; .+\.$/);
});

test('a waiting recovery is not shown as complete', async () => {
  const page = await open(`#recover/or-1/${encodeURIComponent('anna+1@example.com')}`);
  const made = await page.evaluate<{
    credential: { credentialInfo: { credId: string }; encryptedPrivateKey: string };
    text: string;
  }>("import('/sign-in/recovery-kit.js').then(({ createRecoveryKit }) => createRecoveryKit('AAAA'))");
  const user = { id: 'us-1', name: 'anna', displayName: 'Anna' };
  const options = { challenge: 'AAAA', rp: { id: 'localhost', name: 'x' }, user, pubKeyCredParams: [], excludeCredentials: [] };
  const kept = { id: made.credential.credentialInfo.credId, encryptedRecoveryKey: made.credential.encryptedPrivateKey };
  await page.route('**/auth/recover/user/init', (route) =>
    route.fulfill({ json: { ...options, temporaryAuthenticationToken: 'x', allowedRecoveryCredentials: [kept] } }),
  );
  await page.route('**/auth/recover/user', (route) =>
    route.fulfill({ json: { recovery: { id: 'x', dateEffective: '2026-11-24T12:00:00.000Z' } } }),
  );
  const bytes = 'new Uint8Array([1]).buffer';
  const response = `{ clientDataJSON: ${bytes}, attestationObject: ${bytes} }`;
  await page.evaluate(
    `navigator.credentials.create = () => Promise.resolve({ id: 'AQ', rawId: ${bytes}, type: 'public-key', response: ${response}, getClientExtensionResults: () => ({}) })`,
  );
  const form = page.locator('form').last();
  expect(await form.locator('[name=username]').inputValue()).toBe('anna+1@example.com');
  await form.locator('[name=verificationCode]').fill('000-000-000');
  await form.locator('[name=kit]').fill(made.text);
  await form.getByRole('button').click();
  await page.getByRole('heading', { name: 'Recovery pending' }).waitFor();
  expect(await page.locator('main').textContent()).toContain('Until then the former ones remain valid');
  expect(await widthOf(page)).toBe(PHONE.width);
  const lines = await page.evaluate<number>(`(() => {
    const kit = document.querySelector('#recovery-kit-text');
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(kit);
    return (kit.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom)) / parseFloat(lineHeight);
  })()`);
  expect(Math.round(lines)).toBe(2);
});

test.each([
  'NotAllowedError',
  'AbortError',
  'InvalidStateError',
  'SecurityError',
  'NotSupportedError',
  'ConstraintError',
  'UnknownError',
])('if a passkey fails with %s, the page shows our own message and not that of the browser', async (name) => {
  const page = await open('#login');
  await page.route('**/auth/login/init', (route) => route.fulfill({ json: CHALLENGE }));
  await logIn(page, `Promise.reject(new DOMException('The browser says something. See: https://spec.example', '${name}'))`);
  await page.locator('#notice[data-kind=fault]:not(:empty)').waitFor();
  const told = await page.locator('#notice').textContent();
  expect(told).toMatch(/^(No passkey was used|The passkey|This device|This browser|Passkeys do not) ?.+\.$/);
  expect(told).not.toContain('spec.example');
});

test('the link of an approval first leads to the login and then to that approval', async () => {
  const page = await open(`#approval/${APPROVAL}`);
  expect(await page.locator('h1').textContent()).toBe('Log in');
  await showApproval(page);
  await page.locator('#envelope').waitFor();
  expect(new URL(page.url()).hash).toBe(`#approval/${APPROVAL}`);
});

test('the link of an invitation leads to registration with organisation and address filled in', async () => {
  const page = await open(`#register/or-1/${encodeURIComponent('anna+1@example.com')}`);
  const form = page.locator('form').first();
  expect(await form.locator('[name=orgId]').inputValue()).toBe('or-1');
  expect(await form.locator('[name=username]').inputValue()).toBe('anna+1@example.com');
  expect(await form.locator('[name=registrationCode]').inputValue()).toBe('');
  const broken = await open('#register/or-1/%E0%A4%A');
  expect(await broken.locator('form [name=username]').first().inputValue()).toBe('');
});

test('the page shows each call of a smart account, and explains a call that is a token call', async () => {
  const { to, data: paid } = transferOf(RECIPIENT, RECIPIENT, 5n);
  const calls = [
    { to, valueUnits: '7', dataHex: '0x' },
    { to, valueUnits: '0', dataHex: `${paid}`.toLowerCase() },
    { to, valueUnits: '0', dataHex: `${approvalOf(RECIPIENT, RECIPIENT).data}`.toLowerCase() },
  ];
  const page = await openApproval({}, { shown: { v: 1, envelope: { payload: { kind: 'SvcSmartAccountTransaction', calls } } } });
  const text = (await page.locator('#envelope').textContent()) ?? '';
  const who = RECIPIENT.toLowerCase();
  expect(text).toContain('payload · calls · 0 · valueUnits7');
  expect(text).toContain(`payload · calls · 1 · dataHex, as a token reads itpay 5 smallest units to ${who}`);
  expect(text).toContain(`payload · calls · 2 · dataHex, as a token reads itlet ${who} take everything`);
});
