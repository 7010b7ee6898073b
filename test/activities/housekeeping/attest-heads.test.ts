import { createSequencer } from '../../../application/feed/sequencer';
import { AppError } from '../../../domain/errors';
import { eventStore } from '../../../entities/events/event.store';
import { feedStore } from '../../../entities/feed/feed.store';
import { isCheckpointOf, readCheckpoint } from '../../../platform/chain-checkpoint';
import type { SignerClient } from '../../../signer/protocol';
import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';
import { startTestSigner, type TestSigner } from '../../support/signer';

let signer: TestSigner;
let attestFeed: SignerClient['attestFeed'];
let housekeeping: Housekeeping;
let orgId: string;
beforeAll(async () => {
  signer = await startTestSigner();
  housekeeping = await openHousekeeping({ signer: { attestFeed: (order) => attestFeed(order) } });
});
afterAll(async () => {
  await housekeeping?.close();
  await signer?.close();
});
beforeEach(async () => {
  attestFeed = signer.client.attestFeed;
  for (const table of ['feed_pending', 'feed_heads']) await housekeeping.upset(`DELETE FROM ${table}`);
  housekeeping.lines();
  orgId = await housekeeping.database.createOrganization();
});

const db = () => housekeeping.database.db;
const emit = (org = orgId) =>
  db().withOrg(org, (tx) => eventStore.emit(tx, { kind: 'wallet.created', aggregateId: 'wa-1', aggregateVersion: 1, data: {} }));
const checkpoints = (org = orgId) => feedStore.checkpoints(db().read(org), { before: undefined, limit: 10 });
const keep = () => housekeeping.keep('attest-feeds');

test('a feed with new events gets a checkpoint of its head, once', async () => {
  await emit();
  await createSequencer(db()).numberAll(orgId);
  expect(await keep()).toEqual({ looked: 1, done: 1 });
  const [checkpoint] = await checkpoints();
  const head = await feedStore.head(db().read(orgId));
  expect(readCheckpoint('feed', checkpoint?.statement ?? '')).toMatchObject({
    organizationId: orgId,
    sequence: 1,
    hash: head?.hash,
  });
  expect(await keep()).toEqual({ looked: 0, done: 0 });
  await emit();
  await createSequencer(db()).numberAll(orgId);
  expect(await keep()).toEqual({ looked: 1, done: 1 });
  expect((await checkpoints()).map(({ sequence }) => Number(sequence))).toEqual([2, 1]);
  expect(housekeeping.lines()).toEqual([]);
});

test('events that a relay of the previous release delivered get their places', async () => {
  await emit();
  await emit();
  expect(await keep()).toEqual({ looked: 1, done: 1 });
  expect(await feedStore.head(db().read(orgId))).toMatchObject({ sequence: 2 });
  expect((await checkpoints()).map(({ sequence }) => Number(sequence))).toEqual([2]);
});

test('a feed whose head was set back gets no checkpoint, an operator is alerted, and the other feeds are attested', async () => {
  const other = await housekeeping.database.createOrganization();
  for (const org of [orgId, orgId, other]) await emit(org);
  await keep();
  await housekeeping.upset(`UPDATE feed_heads SET sequence = 0, signed_sequence = 0, hash = sha256('') WHERE org_id = $1`, [
    orgId,
  ]);
  await housekeeping.upset('DELETE FROM feed_entries WHERE org_id = $1', [orgId]);
  for (const org of [orgId, other]) await emit(org);
  expect(await keep()).toEqual({ looked: 2, done: 1 });
  expect(housekeeping.lines()).toEqual([
    'error: the signer attests no checkpoint of the feed of an organisation: compare the feed with its last checkpoints',
  ]);
  expect((await checkpoints(other)).map(({ sequence }) => Number(sequence))).toEqual([2, 1]);
});

test('an attestation of a different head is not stored', async () => {
  await emit();
  attestFeed = (order) => signer.client.attestFeed({ ...order, hash: 'ab'.repeat(32) });
  expect(await keep()).toEqual({ looked: 1, done: 0 });
  expect(await checkpoints()).toEqual([]);
});

test.each([
  ['is away', new AppError('SignerUnavailable', 'away')],
  ['runs an earlier release', new AppError('SignerRefused', 'unknown', { reason: 'MalformedOrder', nothingSigned: true })],
])('while the signer %s, the round fails, and a later round attests the feed', async (_how, error) => {
  await emit();
  attestFeed = () => Promise.reject(error);
  await expect(keep()).rejects.toBe(error);
  attestFeed = signer.client.attestFeed;
  expect(await keep()).toEqual({ looked: 1, done: 1 });
  const [checkpoint] = await checkpoints();
  expect(isCheckpointOf('feed', '00'.repeat(32), { statement: '', signature: '', ...checkpoint })).toBe(false);
});
