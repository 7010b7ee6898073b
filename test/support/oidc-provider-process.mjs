// Runs a real identity provider, the package oidc-provider, in its own process. A test sets the accounts, the keys and the false
// claims.
import { createServer } from 'node:http';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import Provider from 'oidc-provider';

const CLIENTS = [
  {
    client_id: 'strongroom',
    client_secret: 'a client secret that is hard to guess',
    token_endpoint_auth_method: 'client_secret_basic',
  },
  { client_id: 'strongroom-post', client_secret: 'another client secret', token_endpoint_auth_method: 'client_secret_post' },
  { client_id: 'strongroom-public', token_endpoint_auth_method: 'none' },
];
const REDIRECT_URIS = ['http://localhost:3000/sso', 'http://localhost:3000/other'];

/** The claims of each account by the name of the account, as the test has set them. */
let accounts = {};
/** The changes that the next exchanges make to the true id token. */
let lie;
let signing;
let provider;
let issuer = '';

const server = createServer((request, response) => {
  const [, uid] = /^\/interaction\/([^/?]+)/.exec(request.url ?? '') ?? [];
  if (uid) void signIn(request, response);
  else void provider.callback()(request, response);
});

/** Signs the browser in without a question, as the account that the browser specifies. */
async function signIn(request, response) {
  const accountId = String(request.headers['x-account']);
  await provider.interactionFinished(request, response, { login: { accountId } }, { mergeWithLastSubmission: false });
}

async function rotate() {
  const kid = `key-${Date.now()}-${process.hrtime.bigint()}`;
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  signing = { kid, privateKey, publicKey };
  provider = new Provider(issuer, {
    clients: CLIENTS.map((client) => ({
      ...client,
      redirect_uris: REDIRECT_URIS,
      grant_types: ['authorization_code'],
      response_types: ['code'],
    })),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key of the cookies of a test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts[id] }) }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, next) => {
    await next();
    if (lie && ctx.path === '/token' && ctx.status === 200) ctx.body = { ...ctx.body, id_token: await told(ctx.body.id_token) };
  });
}

/** The same token with the claims of the lie, signed by the same key unless the lie changes the key. */
function told(idToken) {
  return mint({ ...decodeJwt(idToken), ...lie.claims }, { ...decodeProtectedHeader(idToken), ...lie.header }, lie.hmacSecret);
}

async function mint(claims, header, hmacSecret) {
  const given = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null));
  if (header?.alg === 'none') return new UnsecuredJWT(given).encode();
  const key = await keyOf(header, hmacSecret);
  const { stranger: _, ...protectedHeader } = { alg: 'RS256', kid: signing.kid, ...header };
  return new SignJWT(given).setProtectedHeader(protectedHeader).sign(key);
}

async function keyOf(header, hmacSecret) {
  if (header?.alg === 'HS256') return new TextEncoder().encode(hmacSecret);
  return header?.stranger ? (await generateKeyPair('RS256')).privateKey : signing.privateKey;
}

const ORDERS = {
  accounts: (given) => {
    accounts = given;
  },
  lie: (given) => {
    lie = given ?? undefined;
  },
  rotate,
  mint: ({ claims, header, hmacSecret }) => mint({ iss: issuer, ...claims }, header, hmacSecret),
};

process.on('message', ({ id, order, value }) => {
  Promise.resolve(ORDERS[order](value)).then(
    (answer) => process.send?.({ id, answer }),
    (error) => process.send?.({ id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

server.listen(0, '127.0.0.1', async () => {
  issuer = `http://127.0.0.1:${server.address().port}`;
  await rotate();
  process.send?.({ issuer });
});
