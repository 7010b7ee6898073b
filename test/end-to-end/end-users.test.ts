import { generateKeyPairSync } from 'node:crypto';
import { fingerprintOf } from '../../platform/fingerprint';
import { createChartering } from '../red-team/chartering';
import { asking, type Installation, type Office, startInstallation } from '../red-team/installation';
import { createRows } from '../red-team/rows';
import { Client } from '../support/client';
import { createKeyCredential } from '../support/key-credentials';
import { ended, ok, send, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(240_000);

const NETWORK = 'EthereumSepolia';

type Registered = { readonly authentication: { readonly token: string }; readonly wallets: readonly WalletBody[] };
type Challenge = {
  readonly challenge: string;
  readonly temporaryAuthenticationToken: string;
  readonly user: { readonly id: string };
};
type Account = { readonly accessTokens: readonly { readonly accessToken: string; readonly credId: string }[] };
type Credentials = { readonly items: readonly { readonly credentialUuid: string; readonly credentialId: string }[] };
type Amendments = { readonly items: readonly { readonly kind: string; readonly status: string }[] };
type HeldWallet = WalletBody & { readonly signingKey: { readonly id: string; readonly delegatedTo?: string } };

let installation: Installation;
let chartering: ReturnType<typeof createChartering>;
let office: Office;
let program: Client;
beforeAll(async () => {
  installation = await startInstallation();
  chartering = createChartering(installation);
  office = await installation.createOffice('lima');
  program = await programOf(office);
  // This policy would hold every request below if policies applied to end users.
  ok(await office.ada.client.change('POST', '/v2/policies', asking('Wallets:Sign', office)));
  await chartering.charter(office.orgId, { 'end-users': 'test' });
  await waitUntil('the service to know the charter', async () => {
    const { charter } = ok(await office.ada.client.get('/organizations/authority')) as { readonly charter: object | null };
    return charter !== null;
  });
});
afterAll(async () => {
  chartering?.close();
  await installation?.close();
});

/** A service account that may only register end users and request wallets for them. */
async function programOf({ ada }: Office): Promise<Client> {
  const operations = ['Auth:Register:Delegated', 'Wallets:Create', 'Keys:Create', 'Keys:Delegate'];
  const permission = ok(await ada.client.change('POST', '/permissions', { name: 'Onboarding', operations })) as {
    readonly id: string;
  };
  const keys = generateKeyPairSync('ed25519');
  const publicKey = keys.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const account = { name: 'onboarding', publicKey, permissionId: permission.id };
  const { accessTokens }: Account = ok(await ada.client.change('POST', '/auth/service-accounts', account));
  const [token] = accessTokens;
  if (!token) throw new Error('the account has no token');
  return new Client(installation.baseUrl, { token: token.accessToken, credId: token.credId, privateKey: keys.privateKey });
}

const begun = async (email: string): Promise<Challenge> =>
  ok(await program.change('POST', '/auth/registration/delegated', { email, kind: 'EndUser' }));

async function registered(email: string) {
  const { say, signIn, baseUrl } = installation;
  const keys = generateKeyPairSync('ed25519');
  const key = createKeyCredential('Key', keys);
  const { challenge, temporaryAuthenticationToken, user } = await begun(email);
  await say('/auth/registration', { firstFactorCredential: key.attest(challenge) }, temporaryAuthenticationToken);
  const token = await signIn(office.orgId, email, key);
  const client = new Client(baseUrl, { token, credId: key.credId, privateKey: keys.privateKey });
  return { userId: user.id, publicKeyPem: key.publicKeyPem, client };
}
type EndUser = Awaited<ReturnType<typeof registered>>;

async function walletOf({ userId }: Pick<EndUser, 'userId'>): Promise<HeldWallet> {
  const body = { network: NETWORK, delegateTo: userId };
  const wallet = ok(await program.change('POST', '/wallets', body)) as HeldWallet;
  await enrich(wallet);
  return wallet;
}

async function enrich({ address }: Pick<WalletBody, 'address'>): Promise<void> {
  const rich = { method: 'anvil_setBalance', params: [address, `0x${(10n ** 19n).toString(16)}`] };
  await fetch(`http://127.0.0.1:${installation.ports.chain}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...rich }),
  });
}

test('an end user gets a wallet under a charter and can pay from it at once, and no other person can pay from it', async () => {
  const zoe = await registered('zoe@example.com');
  const wallet = await walletOf(zoe);
  const sent = await send(zoe.client, wallet.id);
  expect(await ended(zoe.client, wallet.id, sent.id)).toMatchObject({ status: 'Confirmed' });
  const { status } = await office.ada.client.change('POST', `/wallets/${wallet.id}/transfers`, {
    ...{ kind: 'Native', to: wallet.address, amount: '1' },
  });
  expect(status).toBe(403);
});

test('an end user who registers with a wallet pays from it', async () => {
  const keys = generateKeyPairSync('ed25519');
  const key = createKeyCredential('Key', keys);
  const { challenge, temporaryAuthenticationToken } = await begun('uma@example.com');
  const body = { firstFactorCredential: key.attest(challenge), wallets: [{ network: NETWORK }, { network: NETWORK }] };
  const made: Registered = await installation.say('/auth/registration/enduser', body, temporaryAuthenticationToken);
  const { token } = made.authentication;
  const client = new Client(installation.baseUrl, { token, credId: key.credId, privateKey: keys.privateKey });
  for (const wallet of made.wallets) {
    await enrich(wallet);
    const sent = await send(client, wallet.id);
    expect(await ended(client, wallet.id, sent.id)).toMatchObject({ status: 'Confirmed' });
  }
});

test('the attestation of the address contains the end user’s credential', async () => {
  const yan = await registered('yan@example.com');
  const wallet = await walletOf(yan);
  const { attestation } = ok(await yan.client.get(`/wallets/${wallet.id}/attestation`)) as { readonly attestation: string };
  const holder = { userId: yan.userId, credentials: [fingerprintOf(yan.publicKeyPem)] };
  expect(JSON.parse(attestation)).toMatchObject({ address: wallet.address, holder });
});

test('if the database assigns a key to another person, the key does not sign for that person', async () => {
  const [xia, wim] = [await registered('xia@example.com'), await registered('wim@example.com')];
  const wallet = await walletOf(xia);
  const rows = createRows(installation, 'app', office.orgId);
  await rows.run(`UPDATE keys SET delegated_to = '${wim.userId}' WHERE id = '${wallet.signingKey.id}'`);
  const stolen = await send(wim.client, wallet.id);
  expect(await ended(wim.client, wallet.id, stolen.id)).toMatchObject({
    status: 'Failed',
    reason: expect.stringMatching(/NotInCharter/),
  });
});

test('if the database adds a credential to an end user, this credential cannot sign with the end user’s key', async () => {
  const ike = await registered('ike@example.com');
  const wallet = await walletOf(ike);
  const rows = createRows(installation, 'app', office.orgId);
  const { key, privateKey } = await rows.credential(ike);
  const { token } = ike.client.identity;
  const thief = new Client(installation.baseUrl, { token, credId: key.credId, privateKey });
  const stolen = await send(thief, wallet.id);
  expect(await ended(ike.client, wallet.id, stolen.id)).toMatchObject({
    status: 'Failed',
    reason: expect.stringMatching(/AssertionInvalid/),
  });
  const sent = await send(ike.client, wallet.id);
  expect(await ended(ike.client, wallet.id, sent.id)).toMatchObject({ status: 'Confirmed' });
});

test('a credential that the end user has removed cannot sign, even if the database shows the credential again', async () => {
  const gus = await registered('gus@example.com');
  const rows = createRows(installation, 'app', office.orgId);
  // The second credential is older than the wallet, so the key accepts both credentials.
  const { key, privateKey } = await rows.credential(gus);
  const wallet = await walletOf(gus);
  const lost = new Client(installation.baseUrl, { token: gus.client.identity.token, credId: key.credId, privateKey });
  const sent = await send(lost, wallet.id);
  expect(await ended(gus.client, wallet.id, sent.id)).toMatchObject({ status: 'Confirmed' });
  const { items }: Credentials = ok(await gus.client.get('/auth/credentials'));
  const { credentialUuid = '' } = items.find(({ credentialId }) => credentialId === key.credId) ?? {};
  ok(await gus.client.change('PUT', '/auth/credentials/deactivate', { credentialUuid }));
  await waitUntil('the signer to know the removal', async () => {
    const amendments: Amendments = ok(await office.ada.client.get('/organizations/authority/amendments'));
    return amendments.items.some(({ kind, status }) => kind === 'deactivateCredential' && status === 'InForce');
  });
  await rows.run(`UPDATE credentials SET is_active = true WHERE id = '${credentialUuid}'`);
  const stolen = await send(lost, wallet.id);
  expect(await ended(gus.client, wallet.id, stolen.id)).toMatchObject({
    status: 'Failed',
    reason: expect.stringMatching(/AssertionInvalid/),
  });
  const again = await send(gus.client, wallet.id);
  expect(await ended(gus.client, wallet.id, again.id)).toMatchObject({ status: 'Confirmed' });
});

test('a wallet that its end user could never use is not created', async () => {
  const unregistered = await begun('val@example.com');
  const early = await program.change('POST', '/wallets', { network: NETWORK, delegateTo: unregistered.user.id });
  expect(early).toMatchObject({ status: 409, body: { error: { id: 'WrongState' } } });
});
