import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createIdentityProviders, type IdentityProviders } from '../../platform/identity-providers';
import { ProviderUnavailableError } from '../../platform/provider-directory';

type Answer = (response: ServerResponse) => void;

let origin: string;
let providers: IdentityProviders;
/** The provider's responses, by path. Every other path is not found. */
const answers = new Map<string, Answer>();
const asked: string[] = [];
const server = createServer((request, response) => {
  const path = request.url ?? '';
  asked.push(path);
  const answer = answers.get(path);
  if (answer) answer(response);
  else response.writeHead(404).end();
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  providers = createIdentityProviders([origin]);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (value: unknown): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const silence: Answer = () => undefined;

let issuers = 0;
/** Returns a new issuer for each test, because the service keeps the metadata of an issuer for a while. */
function newIssuer(metadata: Record<string, unknown> = {}, keys?: Answer): string {
  const issuer = `${origin}/odd-${++issuers}`;
  const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` };
  answers.set(`${new URL(issuer).pathname}/.well-known/openid-configuration`, json({ issuer, ...endpoints, ...metadata }));
  if (keys) answers.set(`${new URL(issuer).pathname}/keys`, keys);
  return issuer;
}

const clientOf = (issuer: string) => ({ issuer, clientId: 'client', clientSecret: 'a secret' });
const request = { redirectUri: 'http://localhost:3000/sso', state: 'state', nonce: 'nonce', codeVerifier: 'v'.repeat(43) };
const begin = (issuer: string) => providers.authorizationUrl(clientOf(issuer), request);
const redeem = (issuer: string) => providers.redeem(clientOf(issuer), { ...request, code: 'code', iss: undefined });

test.each<[string, (path: string) => Answer]>([
  ['returns no JSON', () => (response) => response.end('<html>')],
  ['returns JSON without members', () => json({})],
  ['returns a list', () => json([])],
  ['returns an error', () => (response) => response.writeHead(500).end()],
  ['returns no content', () => (response) => response.writeHead(204).end()],
  ['redirects the service', (path) => (response) => response.writeHead(302, { location: `${origin}${path}/there` }).end()],
  [
    'returns more text than the limit',
    () => (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'a'.repeat(300_000)}"`),
  ],
  ['breaks the connection', () => (response) => response.writeHead(200, { 'content-length': '100' }).destroy()],
  [
    'returns a different issuer',
    () => json({ issuer: `${origin}/odd-0`, authorization_endpoint: origin, token_endpoint: origin, jwks_uri: origin }),
  ],
  [
    'does not return the address of its keys',
    (path) =>
      json({ issuer: `${origin}${path.slice(0, path.indexOf('/.'))}`, authorization_endpoint: origin, token_endpoint: origin }),
  ],
])('a provider that %s is treated as unavailable, and no person is sent to the provider', async (_, answer) => {
  const issuer = newIssuer();
  const path = `${new URL(issuer).pathname}/.well-known/openid-configuration`;
  answers.set(path, answer(path));
  await expect(begin(issuer)).rejects.toThrow(ProviderUnavailableError);
  expect(asked).not.toContain(`${path}/there`);
});

test.each([undefined, 'nothing', `javascript:alert('here')`, 'file:///etc/passwd'])(
  'no person is sent to %s to sign in',
  async (address) => {
    await expect(begin(newIssuer({ authorization_endpoint: address }))).rejects.toThrow(ProviderUnavailableError);
  },
);

test("a request to a silent provider ends, whichever of the provider's endpoints is silent", async () => {
  const dumb = newIssuer();
  answers.set(`${new URL(dumb).pathname}/.well-known/openid-configuration`, silence);
  const withoutToken = newIssuer();
  answers.set(`${new URL(withoutToken).pathname}/token`, silence);
  const withoutKeys = newIssuer({}, silence);
  const { privateKey } = await generateKeyPair('ES256');
  const idToken = await new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
  const outcomes = await Promise.allSettled([
    begin(dumb),
    redeem(withoutToken),
    providers.verify(withoutKeys, idToken, { audiences: ['client'] }),
  ]);
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(ProviderUnavailableError) });
});

test('the metadata of a provider is requested once for many simultaneous sign-ins, and again after a failure', async () => {
  const issuer = newIssuer();
  const path = `${new URL(issuer).pathname}/.well-known/openid-configuration`;
  const truth = answers.get(path) ?? silence;
  answers.set(path, (response) => response.writeHead(500).end());
  await expect(begin(issuer)).rejects.toThrow(ProviderUnavailableError);
  answers.set(path, truth);
  asked.length = 0;
  await Promise.all(Array.from({ length: 20 }, () => begin(issuer)));
  await begin(issuer);
  expect(asked).toEqual([path]);
});

test('a login fails if the provider refuses the code, and a provider that refuses the client is treated as unavailable', async () => {
  const answerOf = (issuer: string, error: string) =>
    answers.set(`${new URL(issuer).pathname}/token`, (response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error })),
    );
  const issuer = newIssuer();
  answerOf(issuer, 'invalid_grant');
  expect(await redeem(issuer)).toBeUndefined();
  for (const error of ['invalid_client', 'unauthorized_client', 'server_error']) {
    answerOf(issuer, error);
    await expect(redeem(issuer)).rejects.toThrow(ProviderUnavailableError);
  }
});

test('tokens with unknown keys do not make the service request the keys once per token', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const issuer = newIssuer({}, json({ keys: [{ ...(await exportJWK(publicKey)), kid: 'known', alg: 'ES256' }] }));
  const sign = (kid: string) =>
    new SignJWT({ sub: 'ada' })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setIssuer(issuer)
      .setAudience('client')
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey);
  const verify = async (kid: string) => providers.verify(issuer, await sign(kid), { audiences: ['client'] });
  expect(await verify('known')).toMatchObject({ issuer, subject: 'ada' });
  asked.length = 0;
  for (let i = 0; i < 30; i += 1) expect(await verify(`unknown-${i}`)).toBeUndefined();
  expect(asked.length).toBeLessThanOrEqual(1);
});

test.each(['HS256', 'HS384', 'HS512', 'ES256K', 'none'])(
  'a token under %s is refused because of its algorithm, and the service does not even request the keys',
  async (alg) => {
    const { publicKey } = await generateKeyPair('ES256');
    // The key does not specify an algorithm, so only the list of allowed algorithms can cause the refusal.
    const { alg: _none, ...key } = await exportJWK(publicKey);
    const issuer = newIssuer({}, json({ keys: [key] }));
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { iss: issuer, sub: 'ada', aud: 'client', iat: 1_700_000_000, exp: 4_000_000_000 };
    asked.length = 0;
    const token = `${part({ alg })}.${part(claims)}.${alg === 'none' ? '' : part('signature')}`;
    expect(await providers.verify(issuer, token, { audiences: ['client'] })).toBeUndefined();
    expect(asked.filter((path) => path.endsWith('/keys'))).toEqual([]);
  },
);

test.each([
  ['https://10.0.0.1', 'the address is not a public one'],
  ['https://169.254.169.254/latest', 'the address is not a public one'],
  ['https://[::1]', 'the address is not a public one'],
  ['https://[::ffff:10.0.0.1]', 'the address is not a public one'],
  ['http://accounts.example.org', 'only https is allowed'],
  ['http://127.0.0.1:1', 'only https is allowed'],
  ['file:///etc/passwd', 'only https is allowed'],
  ['https://user:word@accounts.example.org', 'user name and password are not allowed in the address'],
  ['https://accounts.example.org?tenant=1', 'must have neither query nor fragment'],
  ['accounts.example.org', 'must be an address'],
])('%s is not an issuer: %s', (issuer, reason) => {
  expect(providers.refusal(issuer)).toBe(reason);
});

test('an issuer must be public and https, or have an origin that the operator has configured', () => {
  expect(providers.refusal('https://accounts.example.org/tenant')).toBeUndefined();
  expect(providers.refusal(`${origin}/tenant`)).toBeUndefined();
  expect(createIdentityProviders([]).refusal(`${origin}/tenant`)).toBe('only https is allowed');
});

test('the service does not call a host name with a private address, and a provider cannot direct the service to such an address', async () => {
  const strict = createIdentityProviders([origin]);
  await expect(strict.authorizationUrl(clientOf('https://localhost'), request)).rejects.toThrow(ProviderUnavailableError);
  const inside = createServer(() => {
    throw new Error('somebody came');
  });
  inside.listen(0, '127.0.0.1');
  await once(inside, 'listening');
  const { port } = inside.address() as AddressInfo;
  const issuer = newIssuer({ token_endpoint: `http://127.0.0.1:${port}/token`, jwks_uri: `http://127.0.0.1:${port}/keys` });
  await expect(redeem(issuer)).rejects.toThrow(ProviderUnavailableError);
  const idToken = 'eyJhbGciOiJFUzI1NiJ9.e30.AA';
  await expect(strict.verify(issuer, idToken, { audiences: ['client'] })).rejects.toThrow(ProviderUnavailableError);
  inside.close();
});
