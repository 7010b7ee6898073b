import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startApi, type TestApi } from '../../support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

const ASSETS = join(__dirname, '..', '..', '..', 'api', 'sign-in', 'assets');
const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile());

test('200: at the root, a browser gets the page, and a program gets the list of addresses', async () => {
  const page = await fetch(api.url, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(await (await fetch(api.url)).json()).toMatchObject({ name: 'Strongroom' });
  expect((await fetch(`${api.url}/sign-in`)).status).toBe(200);
});

test('200: every file that the page needs is served, and the page has nothing inline', async () => {
  const html = await (await fetch(`${api.url}/sign-in`)).text();
  expect(html).not.toMatch(/<script>|<style|\son\w+=|style=/);
  const named = [...html.matchAll(/(?:src|href)="(\/sign-in\/[^"]+)"/g)].map(([, path]) => path ?? '');
  const files = [...filesBelow(ASSETS), 'qr/index.js', 'qr/decode.js'].filter((name) => name !== 'index.html');
  expect(named.length).toBeGreaterThan(2);
  for (const path of [...named, ...files.map((name) => `/sign-in/${name}`)]) {
    const { status, headers } = await fetch(`${api.url}${path}`);
    expect([path, status, headers.get('x-content-type-options')]).toEqual([path, 200, 'nosniff']);
  }
});

test('404: any other file', async () => {
  for (const path of ['/sign-in/index.html', '/sign-in/../routes.js', '/sign-in/%2e%2e%2froutes.js', '/sign-in/none.js']) {
    expect([path, (await fetch(`${api.url}${path}`)).status]).toEqual([path, 404]);
  }
});
