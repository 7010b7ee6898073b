import { Pool, type PoolClient } from 'pg';
import { createPipeline } from '../../entities/pipeline';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
let pool: Pool;
let client: PoolClient;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.appUrl, max: 1 });
});
beforeEach(async () => {
  client = await pool.connect();
});
afterEach(() => client.release());
afterAll(async () => {
  await pool.end();
  await database?.close();
});

const asked = (text: string, ...values: readonly string[]) => ({ text, values });
const WORKS = asked('SELECT $1::integer AS n', '1');
const FAILS = asked('SELECT 1 / $1::integer AS n', '0');

test('what is asked together travels as one message and is answered one by one', async () => {
  const messages = jest.spyOn(client, 'query');
  const pipeline = createPipeline(client);
  const [, first, second] = await Promise.all([
    pipeline.ask(asked('BEGIN')),
    pipeline.ask(WORKS),
    pipeline.ask(asked('SELECT $1::integer AS n', '2')),
  ]);
  expect([first.rows, second.rows]).toEqual([[{ n: 1 }], [{ n: 2 }]]);
  await pipeline.commit();
  expect(messages).toHaveBeenCalledTimes(2);
  messages.mockRestore();
});

test('after a failure what stood before it is answered, and nothing more is sent, not even the commit', async () => {
  const pipeline = createPipeline(client);
  const outcomes = await Promise.allSettled([
    pipeline.ask(asked('BEGIN')),
    pipeline.ask(WORKS),
    pipeline.ask(FAILS),
    pipeline.ask(WORKS),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  await expect(pipeline.ask(WORKS)).rejects.toThrow('current transaction is aborted');
  await expect(pipeline.commit()).rejects.toThrow('current transaction is aborted');
  await pipeline.rollBack();
});

test('a connection on which statements failed serves the next transaction with the same statements', async () => {
  for (let round = 0; round < 3; round += 1) {
    const pipeline = createPipeline(client);
    const outcomes = await Promise.allSettled([pipeline.ask(asked('BEGIN')), pipeline.ask(WORKS), pipeline.ask(FAILS)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    await pipeline.rollBack();
  }
});

test('whoever asks after the end is refused, because the connection may serve somebody else by then', async () => {
  for (const end of ['commit', 'rollBack'] as const) {
    const pipeline = createPipeline(client);
    await pipeline.ask(asked('BEGIN'));
    await pipeline[end]();
    await expect(pipeline.ask(WORKS)).rejects.toThrow('the transaction has ended');
  }
});
