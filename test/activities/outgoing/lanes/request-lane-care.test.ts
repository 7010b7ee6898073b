import { createLaneCareRequests } from '../../../../activities/outgoing/lanes/request-lane-care';
import { networkOf } from '../../../../chains/networks';
import type { NetworkName } from '../../../../domain/networks';
import type { OpenPayload } from '../../../../entities/outgoing/open-payloads';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { asSuperuser } from '../../../support/roles';
import { createTransferSteps, type TransferSteps } from '../../../support/transfer-steps';

let database: TestDatabase;
let steps: TransferSteps;
let now: number;
const called: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
  called.length = 0;
  now = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

function callsOf(network: NetworkName) {
  const tryNow = async (orgId: string, { kind, aggregateId, routing }: Parameters<Calls['tryNow']>[1]) => {
    called.push(
      [orgId, kind, aggregateId, routing['workflow'], routing['again'], routing['network'], routing['address']].join(' '),
    );
  };
  return createLaneCareRequests({ db: database.db, dispatcher: { tryNow }, network: networkOf(network) });
}
type Calls = Parameters<typeof createLaneCareRequests>[0]['dispatcher'];

async function open(state: OpenPayload['state'] = 'Broadcasted'): Promise<OpenPayload> {
  const transferId = await steps.transfer();
  const txHash = await steps.send(transferId);
  const { id } = await steps.payload(transferId);
  return { orgId: steps.orgId, id, transferId, txHash, operationHash: null, state, includedHeight: null, includedHash: null };
}
const call = () =>
  `${steps.orgId} start lane:${steps.orgId}:EthereumSepolia:${steps.address} lane true EthereumSepolia ${steps.address}`;

test('a check is requested once for a sender without progress over enough blocks and time, and again a minute later', async () => {
  const heard = callsOf('EthereumSepolia');
  const two = [await open(), await open()];
  await heard(two, 10);
  now += 60_000;
  await heard(two, 12); // enough time has passed, too few blocks
  expect(called).toEqual([]);
  await heard(two, 13);
  now += 10_000;
  await heard(two, 20);
  expect(called).toEqual([call()]);
  now += 50_000;
  await heard(two, 30);
  expect(called).toEqual([call(), call()]);
});

test('no check is requested for fast blocks alone, for a transaction included meanwhile, or for an unsent one', async () => {
  const heard = callsOf('EthereumSepolia');
  const [one, unsent] = [await open(), await open('Signed')];
  await heard([one, unsent], 10);
  now += 9_999;
  await heard([one, unsent], 500);
  await heard([], 501);
  await heard([one], 502);
  now += 9_999;
  await heard([one, unsent], 600);
  await heard([unsent], 700);
  now += 60_000;
  await heard([unsent], 800);
  expect(called).toEqual([]);
});

test.each([
  ['blockhash', 0],
  ['durable-nonce', 1],
])('for a transaction with the lifetime %s, a check of its sender is requested %s times', async (kind, times) => {
  const heard = callsOf('SolanaDevnet');
  const one = await open();
  const context = JSON.stringify({ lifetime: { kind } });
  await asSuperuser((client) => client.query('UPDATE payloads SET context = $2 WHERE id = $1', [one.id, context]), database.name);
  await heard([one], 10);
  now += 60_000;
  await heard([one], 20);
  expect(called).toHaveLength(times);
});
