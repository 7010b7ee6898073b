import { request } from 'node:http';
import { freePort } from '../../local/free-port';
import { endAll, inline, SCRIPTS, said, start } from './script';

afterEach(endAll);

const SERVICE = {
  apiUrl: 'http://127.0.0.1:3000',
  peopleUrl: 'http://localhost:3000',
  temporalUiUrl: 'http://127.0.0.1:8233',
  mailboxUrl: 'http://127.0.0.1:8239',
  vendorsUrl: '',
  firstRunFile: '/data/<b>first-run.json',
};

/** Serves the home page of the service, and resolves to the address of the page. */
async function served(service: Readonly<Record<string, string>> = SERVICE): Promise<string> {
  const port = await freePort();
  const child = start(
    inline(`
import { serveHomePage } from '${SCRIPTS}/supervisor/home-page.mjs';
await serveHomePage(${JSON.stringify(service)}, ${port});
console.log('served');`),
  );
  await said(child, /served/);
  return `http://127.0.0.1:${port}`;
}

const statusOf = (url: string, options: { readonly method?: string; readonly headers?: Record<string, string> }) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(url, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });

test('one page links to the sign-in, the API and its documents, the mails and the Temporal UI, and lists the omitted parts', async () => {
  const answer = await fetch(await served());
  const page = await answer.text();
  const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, url]) => url);
  expect(links).toEqual([
    SERVICE.peopleUrl,
    `${SERVICE.apiUrl}/health/ready`,
    `${SERVICE.apiUrl}/docs`,
    `${SERVICE.apiUrl}/openapi.json`,
    SERVICE.mailboxUrl,
    SERVICE.temporalUiUrl,
  ]);
  expect(page).toContain('<dt>Simulated vendors</dt><dd>Not part of this start.</dd>');
  expect(page).toContain('/data/&lt;b&gt;first-run.json');
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/);
});

test('only a trial with an offline key store shows its folder and the commands of its ceremonies', async () => {
  const page = await (await fetch(await served({ ...SERVICE, fleetFolder: '/data/<i>fleets' }))).text();
  expect(page).toContain('<dt>Offline key store</dt><dd>In a shell: <code>npm run ceremony -- genesis</code> makes its keys');
  expect(page).toContain('/data/&lt;i&gt;fleets');
  expect(await (await fetch(await served())).text()).not.toContain('Offline key store');
});

test('the server refuses every other host, every other method and every other path', async () => {
  const url = await served();
  expect(await statusOf(url, { headers: { host: 'attacker.example' } })).toBe(403);
  expect(await statusOf(url, { method: 'POST' })).toBe(405);
  expect(await statusOf(`${url}/other`, {})).toBe(404);
});
