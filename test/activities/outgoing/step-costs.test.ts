import { createTransferPreparation } from '../../../activities/outgoing/prepare';
import { createBroadcastActivities } from '../../../activities/outgoing/send';
import { createSigningActivities } from '../../../activities/outgoing/sign';
import { createReaders } from '../../../chains/readers';
import { openStrongroomDatabase } from '../../../entities/data-source';
import { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { createActor } from '../../support/actor';
import { APPROVING } from '../../support/approving';
import { countedDatabase } from '../../support/counted-database';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertPolicy } from '../../support/held-activity';
import { startMessageCounter } from '../../support/message-counter';
import { askFor, RECIPIENT } from '../../support/policies';
import { databaseUrl, postgresUrl, TEST_ROLE } from '../../support/roles';
import { createScriptedChain } from '../../support/scripted-chain';
import { createTransferSteps } from '../../support/transfer-steps';
import { vote } from '../../support/votes';
import { waitUntil } from '../../support/wait-until';
import { startWalletApi } from '../../support/wallet-api';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

/** The number of queries that each step of a transfer sends to the database, after this many people have approved. */
async function asked(approvers: number) {
  const orgId = await database.createOrganization();
  const counted = countedDatabase(database.db);
  const steps = await createTransferSteps(counted.db, orgId);
  await insertPolicy(database.db, orgId, { action: askFor([{ name: 'All', quorum: approvers, approvers: {} }]) });
  const voters = await Promise.all(Array.from({ length: approvers }, () => createActor(database.db, orgId)));
  const id = await steps.transfer({ state: 'Requested', policyEpoch: null });
  const judged = await steps.evaluate(id);
  if (judged.outcome !== 'Held') throw new Error(`the transfer is ${judged.outcome}`);
  for (const voter of voters) await vote(database.db, voter, judged.approvalId, 'Approved');
  const count = async (step: (transferId: string) => Promise<unknown>, answer: unknown): Promise<number> => {
    counted.asked.length = 0;
    expect(await step(id)).toEqual(answer);
    return counted.asked.length;
  };
  return {
    release: await count(steps.evaluate, { outcome: 'Cleared' }),
    claim: await count(steps.prepare, 'Ready'),
    signing: await count(steps.signTransfer, 'Signed'),
  };
}

test('every step verifies the votes of three approvers with as many queries as one vote', async () => {
  const alone = await asked(1);
  expect(await asked(3)).toEqual(alone);
  const budget = { release: 32, claim: 23, signing: 22 };
  for (const step of ['release', 'claim', 'signing'] as const) expect(alone[step]).toBeLessThanOrEqual(budget[step]);
});

/**
 * The messages to Postgres for one plain transfer that no policy holds. Statements that are sent together count as one
 * message. The messages of the relay and of webhooks are not counted.
 */
async function messagesOfOne(): Promise<Readonly<Record<'post' | 'judge' | 'prepare' | 'sign' | 'send', number>>> {
  const [ofApi, ofWorker] = await Promise.all([startMessageCounter(postgresUrl()), startMessageCounter(postgresUrl())]);
  const db = await openStrongroomDatabase({
    url: ofWorker.through(databaseUrl(TEST_ROLE, database.name)),
    poolMax: 4,
    applicationName: 'steps',
  });
  const stand = await startWalletApi({
    own: 'it counts the messages of its process',
    database: { ...database, appUrl: ofApi.through(database.appUrl), close: () => Promise.resolve() },
    judging: db,
  });
  try {
    const { admin, causes, node, signer, orgId } = stand;
    const chain = createScriptedChain();
    const steps = { ...APPROVING, db, causes, signer: signer.client, gateways: () => chain.gateway };
    const readers = createReaders({ EthereumSepolia: [node.url] });
    const { prepareTransfer } = createTransferPreparation({ ...steps, readers, encryptionAccess: () => undefined });
    const { signTransfer } = createSigningActivities(steps);
    const { broadcastTransfer } = createBroadcastActivities(steps);
    const carry = async (walletId: string) => {
      const path = `/wallets/${walletId}/transfers`;
      const text = JSON.stringify({ kind: 'Native', to: RECIPIENT, amount: '1' });
      const headers = { 'x-svc-useraction': await admin.client.userAction('POST', path, text) };
      for (const counter of [ofApi, ofWorker]) counter.take();
      const answered = admin.client.send({ method: 'POST', path, text, headers });
      const row = await waitUntil('the judgement', () =>
        database.db.read(orgId).row(OutgoingEntity, `WHERE t.wallet_id = $1 AND t.state = 'Approved'`, [walletId]),
      );
      const ref = { orgId, transferId: row.id };
      const judge = ofWorker.take();
      expect(await prepareTransfer(ref)).toBe('Ready');
      const prepare = ofWorker.take();
      expect(await signTransfer(ref)).toBe('Signed');
      const sign = ofWorker.take();
      expect(await broadcastTransfer(ref)).toBeUndefined();
      const send = ofWorker.take();
      expect(await answered).toMatchObject({ status: 200, body: { status: 'Broadcasted' } });
      return { post: ofApi.take(), judge, prepare, sign, send };
    };
    const { id } = await stand.createWallet();
    // The first transfer also opens connections, prepares statements and reads the policies.
    await carry(id);
    return await carry(id);
  } finally {
    await stand.close();
    await db.close();
    await Promise.all([ofApi.close(), ofWorker.close()]);
  }
}

test('one plain transfer costs the API at most ten messages to Postgres, and the worker at most twenty-five', async () => {
  const { post, ...steps } = await messagesOfOne();
  const worker = Object.values(steps).reduce((sum, count) => sum + count, 0);
  process.stdout.write(`Messages to Postgres for one transfer: ${JSON.stringify({ post, ...steps, worker })}\n`);
  expect(post).toBeLessThanOrEqual(10);
  expect(worker).toBeLessThanOrEqual(25);
});
