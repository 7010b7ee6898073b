import { Client } from 'pg';

const CONNECT_TIMEOUT_MS = 10_000;

export async function asOwner<T>(ownerUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: ownerUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Commits after the work, unless the work throws. */
export const inOwnerTransaction = <T>(ownerUrl: string, work: (client: Client) => Promise<T>): Promise<T> =>
  asOwner(ownerUrl, async (client) => {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  });
