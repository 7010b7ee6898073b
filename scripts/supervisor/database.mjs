import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SUPERUSER } from '../postgres.mjs';

const DATABASE = 'strongroom';
const ROLES = {
  owner: 'strongroom_owner',
  app: 'strongroom_app',
  worker: 'strongroom_worker',
  relay: 'strongroom_relay',
};

/** Creates or updates the roles and the database, and returns the database address of each role. */
export async function ensureDatabase({ root, port, passwords }) {
  const { Client } = createRequire(join(root, 'package.json'))('pg');
  const at = { host: '127.0.0.1', port, user: SUPERUSER, password: passwords.superuser };
  await withClient(new Client({ ...at, database: 'postgres' }), async (client) => {
    for (const [key, role] of Object.entries(ROLES)) {
      const known = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
      const verb = known.rowCount === 0 ? 'CREATE' : 'ALTER';
      const rights = 'LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION';
      await client.query(`${verb} ROLE ${role} WITH ${rights} PASSWORD ${client.escapeLiteral(passwords[key])}`);
    }
    const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (known.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${ROLES.owner}`);
    await client.query(`REVOKE ALL ON DATABASE ${DATABASE} FROM PUBLIC`);
    await client.query(`GRANT CONNECT ON DATABASE ${DATABASE} TO ${ROLES.app}, ${ROLES.worker}, ${ROLES.relay}`);
  });
  const url = (key) => databaseUrl(key, passwords, port);
  return {
    DATABASE_URL: url('app'),
    WORKER_DATABASE_URL: url('worker'),
    RELAY_DATABASE_URL: url('relay'),
    OWNER_DATABASE_URL: url('owner'),
  };
}

/** `key` is `owner`, `app`, `worker` or `relay`. */
export const databaseUrl = (key, passwords, port) => `postgres://${ROLES[key]}:${passwords[key]}@127.0.0.1:${port}/${DATABASE}`;

async function withClient(client, work) {
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
