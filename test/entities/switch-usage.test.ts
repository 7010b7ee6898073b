import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { migrate } from '../../entities/migrate';
import { upgrade } from '../../operator/upgrade';
import { newId } from '../../platform/ids';
import { asSuperuser, databaseUrl } from '../support/roles';

const name = `strongroom_usage_${randomBytes(6).toString('hex')}`;
const ownerUrl = databaseUrl('strongroom_owner', name);
const BEFORE = 'SponsoredFeesByTime20261123070310';

beforeEach(() => asSuperuser((client) => client.query(`CREATE DATABASE ${name} OWNER strongroom_owner`)));
afterEach(() => asSuperuser((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));

/** Rows of the last release, written without foreign keys and triggers. */
async function plant(client: Client): Promise<Record<'heavy' | 'light' | 'none', string>> {
  const orgs = { heavy: newId('organization'), light: newId('organization'), none: newId('organization') };
  await client.query(`SET session_replication_role = 'replica'`);
  for (const [org, id] of Object.entries(orgs))
    await client.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [id, org]);
  const key = async (orgId: string, scheme: string, curve: string, exported: boolean) => {
    const id = newId('key');
    await client.query(
      `INSERT INTO keys (org_id, id, scheme, curve, status, date_exported) VALUES ($1, $2, $3, $4, 'Creating', $5)`,
      [orgId, id, scheme, curve, exported ? new Date() : null],
    );
    return id;
  };
  const signature = async (orgId: string, keyId: string, kind: string, payload: object, body: object, state = 'Signed') => {
    await client.query(
      `INSERT INTO signatures (org_id, id, key_id, kind, requester_user_id, user_action_id, request_body, request_digest, payload, state)
       VALUES ($1, $2, $3, $4, 'us-1', 'ua-' || $2, $5, 'd', $6, $7)`,
      [orgId, newId('signature'), keyId, kind, body, payload, state],
    );
  };
  const [ecdsa, eddsa] = [await key(orgs.heavy, 'ECDSA', 'secp256k1', true), await key(orgs.heavy, 'EdDSA', 'ed25519', false)];
  await signature(orgs.heavy, ecdsa, 'Hash', { kind: 'Hash' }, {});
  await signature(orgs.heavy, ecdsa, 'Hash', { kind: 'Hash' }, {}, 'Rejected');
  await signature(orgs.heavy, eddsa, 'Message', { messageHex: '0x6869' }, {});
  await signature(orgs.heavy, eddsa, 'Message', { messageHex: '0xff736f6c616e61206f6666636861696e00' }, {});
  await signature(orgs.heavy, ecdsa, 'Message', { messageHex: '0x6869' }, {});
  const light = await key(orgs.light, 'ECDSA', 'secp256k1', false);
  await signature(orgs.light, light, 'Eip712', {}, { domain: { name: 'Notes' } });
  await signature(orgs.light, light, 'Eip712', {}, { domain: { chainId: 1 } });
  const none = await key(orgs.none, 'ECDSA', 'secp256k1', false);
  await signature(orgs.none, none, 'Eip712', {}, { domain: { chainId: 1 } });
  return orgs;
}

test('an upgrade reports once which organisations used features that are off from now on', async () => {
  await migrate(ownerUrl, BEFORE);
  const { heavy, light, none } = await asSuperuser(plant, name);
  const lines = await upgrade(ownerUrl);
  const told = lines.slice(lines.findIndex((line) => line.startsWith('The signer refuses these')) + 1);
  expect(told.sort()).toEqual(
    [
      `  heavy (${heavy}): exported keys: 1 (SIGNER_EXPORT), hashes and messages signed as they are: 2 (SIGNER_HASH)`,
      `  light (${light}): signatures over typed data without a chain id: 1 (SIGNER_CHAINLESS_TYPED_DATA)`,
    ].sort(),
  );
  expect(lines.join()).not.toContain(none);
  expect(await upgrade(ownerUrl)).toEqual(['The schema is up to date']);
});

test('the upgrade of a new deployment reports no switches', async () => {
  expect((await upgrade(ownerUrl)).join()).not.toContain('SIGNER_');
});
