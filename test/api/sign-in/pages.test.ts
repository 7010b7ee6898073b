import type { Browser, Page } from 'playwright-core';
import { digestOf } from '../../../platform/canonical';
import { startApi, type TestApi } from '../../support/api';
import { launchBrowser } from '../../support/browser';

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

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
const TEXT_CONTRAST_MIN = 4.5;
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const APPROVAL = 'ap-01m84-gdyzh-bfh4v0p1k5kt6mtb';
const ASSET = { symbol: 'ETH', decimals: 18, verified: true };

const CHALLENGE = {
  challenge: 'AAAA',
  challengeIdentifier: 'x',
  rp: { id: 'localhost' },
  allowCredentials: { webauthn: [] },
  userVerification: 'required',
};

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
  groups: [{ policyId: 'plc-01m84-gdyzh-bfh4v0p1k5kt6mtb', quorum: 1, voterIds: ['us-01m84-gdyzh-bfh4v0p1k5kt6mtb'] }],
};

type Look = { readonly viewport?: typeof PHONE; readonly colorScheme?: 'light' | 'dark' };
const opened: Page[] = [];
afterEach(async () => {
  for (const page of opened.splice(0)) await page.context().close();
});

async function open(place: string, look: Look = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE, ...look });
  const page = await context.newPage();
  opened.push(page);
  await page.goto(`${api.url.replace('127.0.0.1', 'localhost')}/sign-in${place}`);
  return page;
}

/** The approval as somebody who is logged in sees it; the service's answers are the test's own. */
async function openApproval(look: Look = {}, asset: object = ASSET): Promise<Page> {
  const page = await open(`#approval/${APPROVAL}`, look);
  await showApproval(page, asset);
  return page;
}

/** Logs in on a page that was opened by the link of an approval. */
async function showApproval(page: Page, asset: object = ASSET): Promise<void> {
  const claims = { sub: 'us-1', 'https://custom/app_metadata': { orgId: 'or-1' } };
  await page.route('**/auth/login/init', (route) => route.fulfill({ json: CHALLENGE }));
  await page.route('**/auth/login', (route) =>
    route.fulfill({ json: { token: `.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.` } }),
  );
  await page.route('**/v2/policy-approvals/**', (route) =>
    route.fulfill({
      json: route.request().url().endsWith('/evidence')
        ? { approvalId: APPROVAL, digest: digestOf(committed), committed }
        : { id: APPROVAL, activity: { kind: 'Wallets:Sign', transferRequest: { metadata: { asset } } } },
    }),
  );
  const bytes = 'new Uint8Array([1]).buffer';
  const response = `{ clientDataJSON: ${bytes}, authenticatorData: ${bytes}, signature: ${bytes} }`;
  await logIn(
    page,
    `Promise.resolve({ id: 'AQ', rawId: ${bytes}, type: 'public-key', response: ${response}, getClientExtensionResults: () => ({}) })`,
  );
  await page.locator('#envelope').waitFor();
}

/** Fills in the login, where the browser gives this answer when it is asked for a passkey. */
async function logIn(page: Page, passkey: string): Promise<void> {
  await page.evaluate(`navigator.credentials.get = () => ${passkey}`);
  await page.fill('[name=orgId]', 'or-1');
  await page.fill('[name=username]', 'anna@example.com');
  await page.click('form button');
}

const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth');

/** How far text stands out from the page, by WCAG. */
const contrastOf = (page: Page, selector: string) =>
  page.evaluate<number>(`(() => {
    const channels = (colour) => {
      const canvas = new OffscreenCanvas(1, 1).getContext('2d');
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = (colour) => {
      const [r, g, b] = channels(colour).map((one) => one / 255).map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const element = document.querySelector('${selector}');
    const { color, backgroundColor } = getComputedStyle(element);
    const probe = document.body.appendChild(document.createElement('div'));
    probe.style.backgroundColor = 'Canvas';
    const canvas = getComputedStyle(probe).backgroundColor;
    probe.remove();
    const behind = channels(backgroundColor)[3] === 0 ? canvas : backgroundColor;
    const [light, dark] = [luminance(color), luminance(behind)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  })()`);

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  test.each([
    ['a phone', PHONE],
    ['a desktop', DESKTOP],
  ])('the approval fits %s, with its recipient in groups on two lines at most', async (_name, viewport) => {
    const page = await openApproval({ viewport, colorScheme });
    expect(await widthOf(page)).toBeLessThanOrEqual(viewport.width);
    const cell = page.locator('#envelope tr', { has: page.locator('th', { hasText: 'Recipient' }) }).locator('td');
    expect(await cell.textContent()).toBe(RECIPIENT);
    const tops = await cell.locator('.group').evaluateAll((groups) => groups.map((one) => one.getBoundingClientRect().top));
    expect(tops).toHaveLength(Math.ceil(RECIPIENT.length / 4));
    expect(new Set(tops).size).toBeLessThanOrEqual(2);
  });

  test('each page fits a phone, and buttons, links and faults can be read', async () => {
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

test('the amount stands in whole units beside the smallest ones, with the symbol of a verified asset alone', async () => {
  const rows = async (asset: object) => (await openApproval({}, asset)).locator('#envelope').textContent();
  expect(await rows(ASSET)).toMatch(/smallest units1500000000000001Amount, as the service reads it0\.001500000000000001 ETH/);
  expect(await rows({ ...ASSET, symbol: 'USDC', verified: false })).toContain(
    '0.001500000000000001 of an asset that is not verified',
  );
  expect(await rows({ verified: false })).not.toContain('as the service reads it');
});

test.each([
  'NotAllowedError',
  'AbortError',
  'InvalidStateError',
  'SecurityError',
  'NotSupportedError',
  'ConstraintError',
  'UnknownError',
])('a passkey that fails with %s is told in words of ours', async (name) => {
  const page = await open('#login');
  await page.route('**/auth/login/init', (route) => route.fulfill({ json: CHALLENGE }));
  await logIn(page, `Promise.reject(new DOMException('The browser says something. See: https://spec.example', '${name}'))`);
  await page.locator('#notice[data-kind=fault]:not(:empty)').waitFor();
  const told = await page.locator('#notice').textContent();
  expect(told).toMatch(/^(No passkey was used|The passkey|This device|This browser|Passkeys do not) ?.+\.$/);
  expect(told).not.toContain('spec.example');
});

test('the link of an approval asks for the login first and then shows that approval', async () => {
  const page = await open(`#approval/${APPROVAL}`);
  expect(await page.locator('h1').textContent()).toBe('Log in');
  await showApproval(page);
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
