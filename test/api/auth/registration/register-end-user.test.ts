import { createWalletActivities } from '../../../../activities/wallets/wallets';
import { createDeliverer } from '../../../../application/webhooks/delivery';
import { KeyEntity } from '../../../../entities/keys/key.entity';
import type { Dispatch } from '../../../../entities/outbox/outbox.store';
import { createLogger } from '../../../../platform/logger';
import { createSecretBox } from '../../../../platform/secret-box';
import { createRelay, type Relay } from '../../../../worker/relay/relay';
import { APPROVING } from '../../../support/approving';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { type FakeNode, startFakeNode } from '../../../support/fake-node';
import {
  type Challenge,
  NOT_AUTHORIZED,
  type RegistrationApi,
  startRegistrationApi,
  withKey,
} from '../../../support/registration-api';
import { startTestSigner } from '../../../support/signer';

const PATH = '/auth/registration/enduser';
const NETWORK = 'EthereumSepolia';

let database: TestDatabase;
let node: FakeNode;
let signer: Awaited<ReturnType<typeof startTestSigner>>;
let relay: Relay;
let registration: RegistrationApi;
beforeAll(async () => {
  [database, signer, node] = await Promise.all([createTestDatabase(), startTestSigner(), startFakeNode()]);
  const { createWalletKey } = createWalletActivities({ db: database.db, signer: signer.client, ...APPROVING });
  const carryOut = async (orgId: string, { kind, aggregateId, routing }: Dispatch) => {
    if (kind === 'start' && routing['workflow'] === 'createWallet') await createWalletKey({ orgId, walletId: aggregateId });
  };
  relay = createRelay({
    relayUrl: database.relayUrl,
    dispatcher: { carryOut, tryNow: carryOut, execute: () => Promise.reject(new Error('no workflow is executed here')) },
    deliverer: createDeliverer({
      db: database.db,
      secrets: createSecretBox(Buffer.alloc(32), 'webhook-secrets'),
      allowLoopback: false,
    }),
    logger: createLogger('relay', 'silent'),
    holderId: 'test',
  });
  relay.start();
  registration = await startRegistrationApi({
    database,
    rpcUrls: { [NETWORK]: [node.url] },
  });
});
afterAll(async () => {
  await registration?.close();
  await relay?.stop();
  await Promise.all([database?.close(), signer?.close(), node?.close()]);
});

async function begun(): Promise<Challenge & { readonly orgId: string }> {
  const orgId = await registration.api.createOrganization();
  const program = await registration.api.createPerson(orgId, { isServiceAccount: true });
  const answer = await program.client.change('POST', '/auth/registration/delegated', {
    email: 'owner@example.com',
    kind: 'EndUser',
  });
  return { orgId, ...(answer.body as Challenge) };
}
const complete = (challenge: Challenge, wallets: unknown, more: object = {}) =>
  registration.say('POST', PATH, { ...withKey(challenge.challenge), wallets, ...more }, challenge.temporaryAuthenticationToken);
type Listed = readonly { readonly id: string }[];
type Registered = { readonly authentication: { readonly token: string }; readonly wallets: Listed };
const idsOf = (wallets: Listed) => wallets.map(({ id }) => id).sort();
const keysOf = (orgId: string) => database.db.read(orgId).rows(KeyEntity, '');

test('200: the user is registered and gets a session and wallets that are delegated to the user', async () => {
  const challenge = await begun();
  const { orgId } = challenge;
  const userId = challenge.user.id;
  const { status, body } = await complete(challenge, [{ network: NETWORK, name: 'Spending' }, { network: NETWORK }]);
  expect(status).toBe(200);
  const wallet = {
    id: expect.stringMatching(/^wa-/),
    network: NETWORK,
    address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    signingKey: expect.objectContaining({ scheme: 'ECDSA', curve: 'secp256k1', delegatedTo: userId }),
    status: 'Active',
    custodial: false,
    dateCreated: expect.any(String),
    tags: [],
  };
  expect(body).toEqual({
    credential: { uuid: expect.stringMatching(/^cred-/), kind: 'Key', name: 'My Key' },
    user: { id: userId, username: 'owner@example.com', orgId },
    authentication: { token: expect.any(String) },
    wallets: [{ ...wallet, name: 'Spending' }, wallet],
  });
  const { authentication, wallets } = body as Registered;
  const { token } = authentication;
  const listed = await registration.say('GET', '/wallets', undefined, token);
  expect(listed.status).toBe(200);
  expect(idsOf((listed.body as { items: Listed }).items)).toEqual(idsOf(wallets));
});

test('400: a network is not enabled, and nothing is stored', async () => {
  const challenge = await begun();
  const answer = await complete(challenge, [{ network: NETWORK }, { network: 'Bitcoin' }]);
  expect(answer).toMatchObject({ status: 400, body: { error: { id: 'NetworkNotEnabled' } } });
  expect(await keysOf(challenge.orgId)).toEqual([]);
  expect(await registration.userOf({ orgId: challenge.orgId, userId: challenge.user.id })).toMatchObject({ isRegistered: false });
  // The challenge stays open for a valid request.
  expect((await complete(challenge, [{ network: NETWORK }])).status).toBe(200);
});

test('400: no wallets, too many wallets, and unknown fields', async () => {
  const challenge = await begun();
  const wallet = { network: NETWORK };
  for (const wallets of [
    undefined,
    [],
    Array.from({ length: 21 }, () => wallet),
    [{}],
    [{ ...wallet, tags: ['a'] }],
    [{ network: 'Nowhere' }],
  ]) {
    expect([wallets, await complete(challenge, wallets)]).toMatchObject([
      wallets,
      { status: 400, body: { error: { id: 'InvalidRequest' } } },
    ]);
  }
});

test('401: the token is used up; of 40 completions at once, exactly one registers the user', async () => {
  const challenge = await begun();
  const answers = await Promise.all(Array.from({ length: 40 }, () => complete(challenge, [{ network: NETWORK }])));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
    expect({ status, body }).toEqual({ status: 401, body: NOT_AUTHORIZED });
  }
  expect(await keysOf(challenge.orgId)).toHaveLength(1);
});

test('403: the user is an employee, stays unregistered and gets no wallet', async () => {
  const newcomer = await registration.newcomer();
  expect(await complete(newcomer, [{ network: NETWORK }])).toMatchObject({ status: 403, body: { error: { id: 'Forbidden' } } });
  expect(await registration.userOf(newcomer)).toMatchObject({ isRegistered: false });
  expect(await keysOf(newcomer.orgId)).toEqual([]);
});
