import type { Browser, Page } from 'playwright-core';

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 800 };
export const TEXT_CONTRAST_MIN = 4.5;

export const CHALLENGE = {
  challenge: 'AAAA',
  challengeIdentifier: 'x',
  rp: { id: 'localhost' },
  allowCredentials: { webauthn: [] },
  userVerification: 'required',
};

export type Look = { readonly viewport?: typeof PHONE; readonly colorScheme?: 'light' | 'dark' };

export async function openPage(browser: Browser, url: string, place: string, look: Look = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE, ...look });
  const page = await context.newPage();
  await page.goto(`${url.replace('127.0.0.1', 'localhost')}/sign-in${place}`);
  return page;
}

/** Fills in the login form. The argument replaces the browser's answer to the request for a passkey. */
export async function logIn(page: Page, passkey: string): Promise<void> {
  await page.evaluate(`navigator.credentials.get = () => ${passkey}`);
  await page.fill('[name=orgId]', 'or-1');
  await page.fill('[name=username]', 'anna@example.com');
  await page.click('form button');
}

/** Logs in. The test supplies the answers of the service and of the passkey. */
export async function enter(page: Page, userId = 'us-1'): Promise<void> {
  const claims = { sub: userId, 'https://custom/app_metadata': { orgId: 'or-1' } };
  await page.route('**/auth/login/init', (route) => route.fulfill({ json: CHALLENGE }));
  await page.route('**/auth/login', (route) =>
    route.fulfill({ json: { token: `.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.` } }),
  );
  const bytes = 'new Uint8Array([1]).buffer';
  const response = `{ clientDataJSON: ${bytes}, authenticatorData: ${bytes}, signature: ${bytes} }`;
  await logIn(
    page,
    `Promise.resolve({ id: 'AQ', rawId: ${bytes}, type: 'public-key', response: ${response}, getClientExtensionResults: () => ({}) })`,
  );
}

export const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth');

/** The contrast between text and page according to WCAG. */
export const contrastOf = (page: Page, selector: string) =>
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
