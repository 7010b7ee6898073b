import { Client } from 'pg';

/** A tenant (a group of organisations) connects organisations, so only the owner role may write tenants. */
export async function insertTenant(
  ownerUrl: string,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'strongroom-operator' });
  await client.connect();
  try {
    await client.query('INSERT INTO tenants (id, name) VALUES ($1, $2)', [id, name]);
  } finally {
    await client.end();
  }
}
