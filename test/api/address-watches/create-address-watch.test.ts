import { newId } from '../../../platform/ids';
import { type AddressWatchApi, someAddress, startAddressWatchApi } from '../../support/address-watch-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../support/wallet-api';

let watches: AddressWatchApi;
beforeAll(async () => {
  watches = await startAddressWatchApi();
}, START_LIMIT_MS);
afterAll(() => watches?.close());

const NETWORK = 'EthereumSepolia';
const ask = (body: object, by = watches.admin) => by.client.change('POST', '/address-watches', { network: NETWORK, ...body });
const stop = (id: string) => watches.admin.client.change('DELETE', `/address-watches/${id}`);
const scannedOf = (id: string) =>
  watches.api.database.db
    .read(watches.orgId)
    .select('SELECT subject_kind, network, address, is_active, live_from FROM watched_addresses WHERE subject_id = $1', [id]);

test('200: the answer has the members of the record except the tags, and from then on blocks are searched for the address', async () => {
  const address = someAddress();
  const externalId = newId('transfer');
  const answer = await ask({ address: address.toLowerCase(), name: 'Treasury', externalId, tags: ['b', 'a', 'b'] });
  expect(answer).toEqual({
    status: 200,
    headers: expect.anything(),
    body: {
      id: expect.stringMatching(/^aw-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/),
      ...{ network: NETWORK, address, name: 'Treasury', externalId, status: 'Active' },
      dateCreated: expect.stringMatching(/Z$/),
    },
  });
  const { id } = answer.body as { id: string };
  expect(await scannedOf(id)).toEqual([
    { subject_kind: 'AddressWatch', network: NETWORK, address, is_active: true, live_from: null },
  ]);
});

test('200: a request for an address that is already watched returns the watch unchanged, even if two requests arrive at once', async () => {
  const address = someAddress();
  const [first, second] = await Promise.all([ask({ address, name: 'One' }), ask({ address, name: 'Two' })]);
  expect(first.status).toBe(200);
  expect(second.body).toEqual(first.body);
  expect((await ask({ address, name: 'Three' })).body).toEqual(first.body);
});

test('200: an archived watch becomes active again with the same id, and its history is complete from a later block on', async () => {
  const { id, address } = await watches.watch({ name: 'Before', tags: ['kept'] });
  await watches.api.database.arrange('UPDATE watched_addresses SET live_from = 5 WHERE subject_id = $1', [id]);
  await stop(id);
  const [{ since }] = (await sinceOf(id)) as [{ since: string }];
  const again = await ask({ address, externalId: newId('transfer') });
  expect(again.body).toMatchObject({ id, name: 'Before', status: 'Active', externalId: expect.any(String) });
  expect(again.body).not.toHaveProperty('dateDeleted');
  expect(await scannedOf(id)).toEqual([expect.objectContaining({ is_active: true, live_from: null })]);
  expect(BigInt(((await sinceOf(id)) as [{ since: string }])[0].since)).toBeGreaterThan(BigInt(since));
  const listed = await watches.admin.client.get('/address-watches?tags=kept');
  expect(listed.body).toMatchObject({ items: [{ id }] });
});

const sinceOf = (id: string) =>
  watches.api.database.db
    .read(watches.orgId)
    .select('SELECT since_xid::text AS since FROM watched_addresses WHERE subject_id = $1', [id]);

test('200: the same request with the same externalId returns the first watch', async () => {
  const body = { address: someAddress(), externalId: newId('transfer'), tags: ['a'] };
  const first = await ask(body);
  expect((await ask({ ...body, address: body.address.toLowerCase() })).body).toEqual(first.body);
});

test('409: a different request with the same externalId, or a different externalId for a watched address', async () => {
  const externalId = newId('transfer');
  const { id, address } = await watches.watch({ externalId });
  const duplicate = { duplicate: { id, externalId } };
  expect(await ask({ address: someAddress(), externalId })).toMatchObject(refusal(409, 'Conflict', duplicate));
  expect(await ask({ address, externalId, name: 'Other' })).toMatchObject(refusal(409, 'Conflict', duplicate));
  expect(await ask({ address, externalId: newId('transfer') })).toMatchObject(refusal(409, 'Conflict', duplicate));
});

test('200: two organisations watch one address, and an organisation watches the address of its own wallet', async () => {
  const { address } = await watches.createWallet();
  const [own, foreign] = [await ask({ address }), await ask({ address }, watches.stranger)];
  expect([own.status, foreign.status]).toEqual([200, 200]);
  expect((foreign.body as { id: string }).id).not.toBe((own.body as { id: string }).id);
});

test.each([
  ['BrokerChain', 'nothing confirms'],
  ['Tsc', 'unknown which chain'],
  ['TscTestnet1', 'BARE'],
  ['Base', 'not enabled'],
])('400: %s is in the list of networks, but this service cannot read its blocks', async (network, reason) => {
  const answer = await ask({ address: someAddress(), network });
  expect(answer).toMatchObject(refusal(400, 'NetworkNotEnabled', faultAt('body.network')));
  if (reason !== 'BARE') expect(JSON.stringify(answer.body)).toContain(reason);
});

test('400: a network outside the list, an address in the wrong format or with a wrong checksum, texts that are too long, and unknown members', async () => {
  const address = someAddress();
  const wrongCase = address.replace(/[a-f]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  for (const [body, code, path] of [
    [{ address, network: 'Bitcoin' }, 'InvalidRequest', 'body.network'],
    [{ address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }, 'InvalidAddress', 'body.address'],
    [{ address: wrongCase }, 'InvalidAddress', 'body.address'],
    [{ address, name: 'n'.repeat(101) }, 'InvalidRequest', 'body.name'],
    [{ address, externalId: 'e'.repeat(101) }, 'InvalidRequest', 'body.externalId'],
    [{ address, externalId: '' }, 'InvalidRequest', 'body.externalId'],
    [{ address, tags: ['has space'] }, 'InvalidRequest', 'body.tags.0'],
    [{ address, walletId: 'wa-1' }, 'InvalidRequest', 'body'],
    [{}, 'InvalidRequest', 'body.address'],
  ] as const)
    expect(await ask(body)).toMatchObject(
      refusal(400, code, { issues: [expect.objectContaining({ path: expect.stringContaining(path) })] }),
    );
});

test('403: without AddressWatches:Create, for an end user, and without a user action', async () => {
  const person = await watches.api.createPerson(watches.orgId, { operations: ['AddressWatches:Read'] });
  const endUser = await watches.api.createPerson(watches.orgId, { kind: 'EndUser', operations: ['AddressWatches:Create'] });
  const address = someAddress();
  for (const by of [person, endUser]) expect(await ask({ address }, by)).toMatchObject(refusal(403, 'Forbidden'));
  expect(await watches.admin.client.post('/address-watches', { network: NETWORK, address })).toMatchObject(
    refusal(403, 'UserActionInvalid'),
  );
});
