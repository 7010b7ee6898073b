import jsQR from 'jsqr';
import type { Browser, Locator, Page } from 'playwright-core';
import { FRAME_CHARS_MAX, FRAMES_MAX, framesOf, joinFrames } from '../../../offline-signer/archives/frames';
import { canonical } from '../../../platform/canonical';
import { sha256Hex } from '../../../platform/digests';
import { startApi, type TestApi } from '../../support/api';
import { launchBrowser } from '../../support/browser';
import { ceremonyOutput, createFleet, fleetInput, genesisTask, sealOutput } from '../../support/fleet-outputs';
import { DESKTOP, enter, openPage, PHONE, widthOf } from '../../support/sign-in-page';
import { waitUntil } from '../../support/wait-until';

jest.setTimeout(60_000);

let api: TestApi;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  [api, browser] = await Promise.all([startApi(), launchBrowser()]);
}, 120_000);
afterEach(() => page?.context().close());
afterAll(async () => {
  await browser?.close();
  await api?.close();
});

const [orgId, storeId, groupId] = ['or-1', 'ks-01m84-gdyzh-bfh4v0p1k5kt6mtb', 'fg-01m84-gdyzh-bfh4v0p1k5kt6mtb'];
const fleet = createFleet();
const input = fleetInput(genesisTask({ secp256k1: 2, ed25519: 1 }), null, { orgId, storeId, groupId });
const ARCHIVE = canonical({ input, signed: fleet.operators[0]?.state('input', input as never) } as never);
const LONG = canonical({ input, signed: 'ä'.repeat(2_000) } as never);
const parts = sealOutput(ceremonyOutput({ fleet, input, head: null })) as { readonly outputJson: object; readonly file: string };
const OUTPUT = canonical(parts.outputJson as never);
const linesOf = (text: string) => framesOf(Buffer.from(text));
const LINES = [...linesOf(OUTPUT), ...linesOf(parts.file)];

/** Logs in at a group that waits for its output. */
async function openGroup(look: Parameters<typeof openPage>[3] = {}, archive = ARCHIVE): Promise<void> {
  page = await openPage(browser, api.url, `#group/${storeId}/${groupId}`, look);
  const date = '2026-11-30T12:00:00.000Z';
  const group = {
    ...{ groupId, storeId, orgId, status: 'Initialized', createdBy: 'us-2', dateCreated: date },
    operations: [{ operationId: 'fo-1', kind: 'Genesis', status: 'Initialized', dateCreated: date }],
  };
  await page.route(`**/key-stores/${storeId}/**`, (route) =>
    route.fulfill({ json: route.request().url().endsWith('/archive') ? archive : group }),
  );
  await enter(page);
  await page.locator('h2').first().waitFor();
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const notice = (text: string) => page.locator('#notice', { hasText: text }).waitFor();

describe('frames', () => {
  beforeEach(async () => {
    page = await openPage(browser, api.url, '');
  });
  const onPage = <T>(script: string, ...values: readonly unknown[]) =>
    page.evaluate<T>(
      `import('/sign-in/carrying/frames.js').then(({ framesOf, createCollection }) => (${script})(${values.map((one) => JSON.stringify(one)).join(', ')}))`,
    );
  const COLLECT = `async (lines) => {
    const collection = createCollection();
    const taken = [];
    for (const line of lines) taken.push(await collection.take(line));
    const texts = await collection.archives().then((all) => all.map((one) => new TextDecoder().decode(one)), ({ message }) => message);
    return { taken, texts, isWhole: collection.isWhole() };
  }`;
  type Collected = { readonly taken: readonly boolean[]; readonly texts: readonly string[] | string; readonly isWhole: boolean };
  const collected = (lines: readonly string[]) => onPage<Collected>(COLLECT, lines);
  const BYTES = 360;

  test('the page and the device make the same frames of an archive, up to the longest', async () => {
    for (const length of [1, BYTES - 1, BYTES, BYTES + 1, FRAMES_MAX * BYTES]) {
      const text = 'b'.repeat(length);
      const frames = await onPage<string[]>('framesOf', text);
      expect(frames).toEqual(linesOf(text));
      expect(Math.max(...frames.map((frame) => frame.length))).toBeLessThanOrEqual(FRAME_CHARS_MAX);
      expect(joinFrames(frames).toString('utf8')).toBe(text);
    }
    const longer = 'b'.repeat(FRAMES_MAX * BYTES + 1);
    await expect(onPage('framesOf', longer)).rejects.toThrow('needs 241 codes, and at most 240');
    expect(() => linesOf(longer)).toThrow('needs 241 frames, and at most 240');
  });

  test('the frames of both files give both files, in any order and however often each is read; a missing frame is counted', async () => {
    const whole = await collected([...LINES, ...LINES].reverse());
    expect([...whole.texts].sort()).toEqual([OUTPUT, parts.file].sort());
    const { isWhole, texts } = await collected(LINES.slice(1));
    const [have, all] = [linesOf(OUTPUT).length, linesOf(parts.file).length];
    expect(isWhole).toBe(false);
    expect(texts).toBe(
      `Codes of the two files are missing. File 1: ${have - 1} of ${have} codes. File 2: ${all} of ${all} codes.`,
    );
    expect((await collected(linesOf(parts.file))).texts).toContain('are missing');
  });

  const checked = (at: number, all: number, length = 4) => {
    const numbers = [at, all, '0'.repeat(64)];
    const chunk = 'A'.repeat(length);
    return ['SRF1', ...numbers, sha256Hex([...numbers, chunk].join('/')).slice(0, 8), chunk].join('/');
  };

  test('a frame that is changed, out of bounds or of a third file is not taken', async () => {
    const [frame = ''] = LINES;
    const bad = [
      frame.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      frame.replace('/0/', '/1/'),
      frame.replace('SRF1', 'SRF2'),
      ` ${frame}`,
      'https://example.com',
      ...[checked(3, 3), checked(0, FRAMES_MAX + 1), checked(0, 1, 481)],
    ];
    expect((await collected(bad)).taken).toEqual(bad.map(() => false));
    for (const line of [checked(2, 3), checked(0, FRAMES_MAX), checked(0, 1, 480)])
      expect((await collected([line])).taken).toEqual([true]);
    expect((await collected([checked(0, 1), checked(0, 2)])).taken).toEqual([true, false]);
    expect((await collected([...LINES, checked(0, 1)])).taken.at(-1)).toBe(false);
  });

  test('frames that do not give the file that they name are refused', async () => {
    const { texts } = await collected([checked(0, 1), ...linesOf(OUTPUT)]);
    expect(texts).toBe('The codes do not give the file of the device. Read them again.');
  });
});

/** Decodes a picture of the screen with another library than the page uses. */
async function decoded(place: Locator): Promise<string> {
  const png = (await place.screenshot()).toString('base64');
  const { width, height, data } = await reader.evaluate<{ width: number; height: number; data: string }>(`(async () => {
    const bytes = Uint8Array.from(atob('${png}'), (char) => char.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    pen.drawImage(bitmap, 0, 0);
    const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
    let text = '';
    for (const byte of data) text += String.fromCharCode(byte);
    return { width: bitmap.width, height: bitmap.height, data: btoa(text) };
  })()`);
  return jsQR(new Uint8ClampedArray(Buffer.from(data, 'base64')), width, height)?.data ?? '';
}
let reader: Page;
beforeAll(async () => {
  reader = await browser.newPage();
});

test.each([
  ['a phone in the dark', ARCHIVE, { viewport: PHONE, colorScheme: 'dark' }],
  ['a desktop', LONG, { viewport: DESKTOP, colorScheme: 'light' }],
] as const)(
  'the codes of an archive, read from the screen of %s, give the device the bytes of the file',
  async (_name, archive, look) => {
    await openGroup(look, archive);
    await press('Show as codes');
    const code = page.locator('canvas.code');
    await code.waitFor();
    const all = linesOf(archive).length;
    const lines = new Set<string>();
    for (let at = 0; at < all; at += 1) {
      await press('Next code');
      lines.add(await decoded(code));
    }
    expect(lines.size).toBe(all);
    expect(joinFrames([...lines]).toString('utf8')).toBe(archive);
    expect(await page.locator('#archive td').last().textContent()).toBe(sha256Hex(archive));
    expect(await widthOf(page)).toBe(look.viewport.width);
  },
);

test('the codes follow one another without a touch, until a person pauses them', async () => {
  await openGroup();
  await press('Show as codes');
  const number = page.locator('#code-number');
  for (const at of [1, 2, 1]) await number.getByText(`Code ${at} of`).waitFor();
  await press('Pause');
  await page.getByRole('button', { name: 'Continue' }).waitFor();
  await page.getByLabel('Speed').selectOption('8 codes a second');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await number.getByText('Code 1 of').waitFor();
});

test('an archive of another group, or one with too many codes, is not shown', async () => {
  await openGroup({}, canonical({ input: { ...input, groupId: 'fg-other' }, signed: {} } as never));
  await press('Show as codes');
  await notice('The service has sent the archive of another group.');
  await page.context().close();
  await openGroup({}, canonical({ input, signed: 'x'.repeat(FRAMES_MAX * 360) } as never));
  await press('Show as codes');
  await notice('at most 240 are shown. Save it, and carry it on a medium.');
  expect(await page.locator('canvas').count()).toBe(0);
});

const openReader = () => page.locator('summary', { hasText: 'read codes' }).click();
const submittable = async () => {
  await page.getByRole('button', { name: 'Submit with a passkey' }).waitFor();
  expect((await page.locator('#output td').last().textContent()) ?? '').toBe(sha256Hex(parts.file));
};

test('frames in text give the output; a line that is no frame is named', async () => {
  await openGroup();
  await openReader();
  const area = page.getByLabel('Frames of both files');
  await area.fill(`${LINES.join('\n')}\n\nno frame`);
  await press('Read the frames');
  await notice(`Line ${LINES.length + 2} is not an intact frame of the two files.`);
  expect(await page.getByRole('button', { name: 'Submit with a passkey' }).count()).toBe(0);
  await area.fill(`${LINES.join('\r\n')}\n`);
  await press('Read the frames');
  await submittable();
});

/** Replaces the camera by a picture that shows the frames one after the other, as a device does. */
const CAMERA = `async (lines) => {
  const { encodeQR } = await import('/sign-in/qr/index.js');
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  [canvas.width, canvas.height] = [640, 480];
  let at = 0;
  const draw = () => {
    pen.fillStyle = '#ddd';
    pen.fillRect(0, 0, 640, 480);
    pen.fillStyle = '#222';
    const rows = encodeQR(lines[at++ % lines.length], 'raw', { border: 4 });
    rows.forEach((row, y) => row.forEach((isDark, x) => isDark && pen.fillRect(60 + x * 4, 20 + y * 4, 4, 4)));
  };
  draw();
  setInterval(draw, 100);
  window.tracks = [];
  navigator.mediaDevices.getUserMedia = async () => {
    const stream = canvas.captureStream(20);
    window.tracks.push(...stream.getTracks());
    return stream;
  };
}`;
const tracks = () => page.evaluate<string[]>('window.tracks.map(({ readyState }) => readyState)');
const film = (lines: readonly string[]) => page.evaluate(`(${CAMERA})(${JSON.stringify(lines)})`);

test('codes before the camera give the output, and the camera is then off', async () => {
  await openGroup();
  await openReader();
  await film(LINES);
  await press('Read codes with the camera');
  await submittable();
  expect(await tracks()).toEqual(['ended']);
  expect(await page.locator('video').count()).toBe(0);
});

test.each([
  ['presses Stop', () => press('Stop')],
  ['leaves the group', () => page.getByRole('link', { name: 'Account' }).click()],
])('the camera is off after a person %s', async (_name, end) => {
  await openGroup();
  await openReader();
  await film(LINES.slice(0, 1));
  await press('Read codes with the camera');
  await page.locator('#camera', { hasText: 'File 1: 1 of' }).waitFor();
  await end();
  await waitUntil('the end of the camera', async () => (await tracks()).every((state) => state === 'ended'));
  expect(await page.locator('video').count()).toBe(0);
});

test('only this page may use a camera, and a camera that is refused is reported', async () => {
  const policies = await Promise.all(
    ['/sign-in', '/'].map(async (path) => (await fetch(`${api.url}${path}`)).headers.get('permissions-policy') ?? ''),
  );
  expect(policies.map((policy) => /camera=\S+/.exec(policy)?.[0])).toEqual(['camera=(self),', 'camera=(),']);
  await openGroup();
  await openReader();
  await page.evaluate(
    `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('Permission denied', 'NotAllowedError'))`,
  );
  await press('Read codes with the camera');
  await notice('The camera could not be used: Permission denied');
});
