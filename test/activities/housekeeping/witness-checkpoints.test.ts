import { CHAINS } from '../../../application/hash-chains/chains';
import { auditEntryStore } from '../../../entities/audit-logs/audit-entry.store';
import { eventStore } from '../../../entities/events/event.store';
import { isCheckpointOf, readCheckpoint } from '../../../platform/chain-checkpoint';
import type { Witnessed } from '../../../platform/checkpoint-witness';
import type { SignerClient } from '../../../signer/protocol';
import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';
import { startTestSigner, type TestSigner } from '../../support/signer';

let signer: TestSigner;
let housekeeping: Housekeeping;
let keepAll: (checkpoints: readonly Witnessed[]) => Promise<void>;
let kept: Witnessed[];
let orgId: string;
beforeAll(async () => {
  signer = await startTestSigner();
  const { attestFeed, attestAuditLog }: Pick<SignerClient, 'attestFeed' | 'attestAuditLog'> = signer.client;
  const witness = { keep: (checkpoints: readonly Witnessed[]) => keepAll(checkpoints) };
  housekeeping = await openHousekeeping({ signer: { attestFeed, attestAuditLog }, witness });
});
afterAll(async () => {
  await housekeeping?.close();
  await signer?.close();
});
beforeEach(async () => {
  for (const table of ['feed_pending', 'feed_heads', 'audit_pending', 'audit_heads'])
    await housekeeping.upset(`DELETE FROM ${table}`);
  housekeeping.lines();
  orgId = await housekeeping.database.createOrganization();
  kept = [];
  keepAll = async (checkpoints) => {
    kept.push(...checkpoints);
  };
});

const db = () => housekeeping.database.db;
const enter = (org = orgId) => db().withOrg(org, (tx) => auditEntryStore.command(tx, 'org:service-account-votes', { on: true }));
const emit = () =>
  db().withOrg(orgId, (tx) =>
    eventStore.emit(tx, { kind: 'wallet.created', aggregateId: 'wa-1', aggregateVersion: 1, data: {} }),
  );
const send = () => housekeeping.keep('witness-checkpoints');
const attest = () => housekeeping.keep('attest-audit-logs');
const said = () => kept.map(({ chain, statement }) => [chain, readCheckpoint(chain, statement)?.sequence]);
const age = (seconds: number) =>
  housekeeping.upset(`UPDATE audit_heads SET date_unwitnessed = date_unwitnessed - $1 * interval '1 second'`, [seconds]);
const waitingSeconds = () => housekeeping.store.unwitnessedSeconds();

test('an audit log with new entries gets a checkpoint of its own, which is not a checkpoint of a feed', async () => {
  await enter();
  expect(await attest()).toEqual({ looked: 1, done: 1 });
  expect(await attest()).toEqual({ looked: 0, done: 0 });
  const head = await CHAINS.audit.store.head(db().read(orgId));
  const [checkpoint] = await CHAINS.audit.store.checkpoints(db().read(orgId), { before: undefined, limit: 1 });
  const signed = { statement: '', signature: '', ...checkpoint };
  expect(readCheckpoint('audit', signed.statement)).toMatchObject({ organizationId: orgId, sequence: 1, hash: head?.hash });
  expect(readCheckpoint('feed', signed.statement)).toBeUndefined();
  const { attestationKey } = signer;
  expect([isCheckpointOf('audit', attestationKey, signed), isCheckpointOf('feed', attestationKey, signed)]).toEqual([
    true,
    false,
  ]);
});

test('an audit log whose head was set back gets no checkpoint, and an operator is alerted', async () => {
  await enter();
  await enter();
  await attest();
  await housekeeping.upset(`UPDATE audit_heads SET sequence = 0, signed_sequence = 0, hash = sha256('') WHERE org_id = $1`, [
    orgId,
  ]);
  await housekeeping.upset('DELETE FROM audit_places WHERE org_id = $1', [orgId]);
  await enter();
  expect(await attest()).toEqual({ looked: 1, done: 0 });
  expect(housekeeping.lines()).toEqual([
    'error: the signer attests no checkpoint of the audit log of an organisation: compare the audit log with its last checkpoints',
  ]);
});

test('the newest checkpoint of each chain is sent once to the witness, which keeps it outside the service', async () => {
  await enter();
  await emit();
  await attest();
  await enter();
  await attest();
  await housekeeping.keep('attest-feeds');
  expect(await send()).toEqual({ looked: 2, done: 2 });
  expect(said()).toEqual([
    ['audit', 2],
    ['feed', 1],
  ]);
  expect(kept.every((one) => one.orgId === orgId && isCheckpointOf(one.chain, signer.attestationKey, one))).toBe(true);
  expect([await send(), await waitingSeconds()]).toEqual([{ looked: 0, done: 0 }, 0]);
});

test('while the witness is silent, checkpoints wait and their age grows; the next run sends the newest checkpoint', async () => {
  await enter();
  await attest();
  keepAll = () => Promise.reject(new Error('away'));
  expect(await send()).toEqual({ looked: 1, done: 0 });
  expect(housekeeping.lines()).toEqual(['error: the witness does not acknowledge checkpoints: they wait for the next minute']);
  await age(1_000);
  await enter();
  expect(await attest()).toEqual({ looked: 1, done: 1 });
  expect(await waitingSeconds()).toBeGreaterThanOrEqual(1_000);
  keepAll = async (checkpoints) => {
    kept.push(...checkpoints);
  };
  expect(await send()).toEqual({ looked: 1, done: 1 });
  expect([said(), await waitingSeconds()]).toEqual([[['audit', 2]], 0]);
});

test('a checkpoint that is signed while an earlier checkpoint is being sent continues to wait', async () => {
  await enter();
  await attest();
  keepAll = async () => {
    await enter();
    await attest();
  };
  await age(1_000);
  await send();
  expect(await waitingSeconds()).toBeLessThan(1_000);
  keepAll = async (checkpoints) => {
    kept.push(...checkpoints);
  };
  expect(await send()).toEqual({ looked: 1, done: 1 });
  expect(said()).toEqual([['audit', 2]]);
});

test('a worker that dies between the acknowledgement and its commit sends the checkpoint again', async () => {
  await enter();
  await attest();
  await send();
  await housekeeping.upset('UPDATE audit_heads SET date_unwitnessed = clock_timestamp() WHERE org_id = $1', [orgId]);
  await send();
  expect(said()).toEqual([
    ['audit', 1],
    ['audit', 1],
  ]);
});

test('a row whose id belongs to no organisation is not sent, and continues to wait', async () => {
  await enter();
  await attest();
  await housekeeping.upset(`UPDATE audit_heads SET org_id = '../escaped' WHERE org_id = $1`, [orgId]);
  await housekeeping.upset(`UPDATE audit_checkpoints SET org_id = '../escaped' WHERE org_id = $1`, [orgId]);
  expect([await send(), kept]).toEqual([{ looked: 1, done: 0 }, []]);
});

test('without a witness, nothing is sent', async () => {
  const without = await openHousekeeping({ database: housekeeping.database });
  await enter();
  await attest();
  expect(await without.keep('witness-checkpoints')).toEqual({ looked: 0, done: 0 });
});
