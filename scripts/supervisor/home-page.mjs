import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { FLEET_ADVICE } from './output.mjs';

const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:46rem;padding:0 1rem}' +
  'dt{font-weight:600;margin-top:1rem}dd{margin:0;overflow-wrap:anywhere}';
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
/** A website can point its own domain at this machine (DNS rebinding), and its requests then have a different `Host`. */
const OURS = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/** Resolves to the function that ends this server. */
export function serveHomePage(service, port) {
  const page = homePage(service);
  const server = createServer(({ method, url, headers }, response) => {
    if (!OURS.test(headers.host ?? '')) response.writeHead(403).end();
    else if (method !== 'GET') response.writeHead(405, { allow: 'GET' }).end();
    else if (url !== '/') response.writeHead(404).end();
    else response.writeHead(200, HEADERS).end(page);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () =>
      resolve(() => {
        server.close();
        server.closeAllConnections();
      }),
    );
  });
}

function homePage({ apiUrl, peopleUrl, temporalUiUrl, mailboxUrl, vendorsUrl, firstRunFile, fleetFolder }) {
  const links = [
    ['Sign in, register and approve', peopleUrl, 'Passkeys are bound to this host name, so always use this address.'],
    ['API', `${apiUrl}/health/ready`, 'Shows whether the service is ready.'],
    ['API reference', `${apiUrl}/docs`, 'Every operation, with its permission and its errors.'],
    ['OpenAPI document', `${apiUrl}/openapi.json`, 'The same for programs.'],
    ['Mails', mailboxUrl, 'The mails of the trial; nothing leaves this machine.'],
    ['Simulated vendors', vendorsUrl, 'The requests to screening and travel rule vendors, and their scripted answers.'],
    ['Temporal UI', temporalUiUrl, 'The workflow of every request, with its amount and recipient.'],
  ];
  const items = links.map(([name, url, note]) =>
    url
      ? `<dt><a href="${escaped(url)}">${name}</a></dt><dd>${note}</dd><dd>${escaped(url)}</dd>`
      : `<dt>${name}</dt><dd>Not part of this start.</dd>`,
  );
  const advice = escaped(FLEET_ADVICE).replace(/`([^`]+)`/g, '<code>$1</code>');
  const fleet = `<dt>Offline key store</dt><dd>In a shell: ${advice}.</dd><dd>${escaped(fleetFolder ?? '')}</dd>`;
  const tokens = `<p>Tokens and private keys of the trial's users are in <code>${escaped(firstRunFile ?? '')}</code>. Use them for nothing of value.</p>`;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>Strongroom, a local trial</title><style>${STYLE}</style></head>` +
    `<body><h1>Strongroom, a local trial</h1><dl>${items.join('')}${fleetFolder ? fleet : ''}</dl>${firstRunFile ? tokens : ''}</body></html>\n`
  );
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text) => text.replace(/[&<>"']/g, (char) => ENTITIES[char]);
