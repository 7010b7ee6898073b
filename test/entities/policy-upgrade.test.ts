import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { migrate, noticesOf as noticesFor } from '../../entities/migrate';
import { asSuperuser, databaseUrl } from '../support/roles';

const BEFORE = 'SponsoredFeesByTime20261123070310';
const name = `strongroom_before_${randomBytes(6).toString('hex')}`;
const ownerUrl = databaseUrl('strongroom_owner', name);
const noticesOf = (done: readonly string[]) => noticesFor(ownerUrl, done);
const inDatabase = <T>(work: (client: Client) => Promise<T>) => asSuperuser(work, name);

beforeAll(async () => {
  await asSuperuser((client) => client.query(`CREATE DATABASE ${name} OWNER strongroom_owner`));
  await migrate(ownerUrl, BEFORE);
});
afterAll(() => asSuperuser((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));

const POLICY = `INSERT INTO policies (org_id, id, name, status, activity_kind, rule, action, version) VALUES ('or-1', $1, $1, $2, $3, '{}', $4, 1)`;
const asking = (...approvalGroups: readonly object[]) => JSON.stringify({ kind: 'RequestApproval', approvalGroups });
const programs = { quorum: 1, approvers: {}, serviceAccountsCanApprove: true };
const named = { userId: { in: ['us-1'] } };

test('cancellations that were counted with unknown value now count as zero, and policies whose meaning changes are reported', async () => {
  const at = '2026-01-01T12:34:56.789Z';
  await inDatabase(async (client) => {
    // This setting disables foreign keys.
    await client.query(`SET session_replication_role = 'replica'`);
    for (const [id, kind, units] of [
      ['tx-cancel', 'Native', '0'],
      ['tx-call', 'Call', '0'],
      ['xfr-known', 'Native', '7'],
      ['xfr-unpriced', 'Native', '8'],
    ] as const)
      await client.query(
        `INSERT INTO transfers (org_id, id, wallet_id, network, requester_user_id, request_body, request_digest, asset_kind, from_address,
           to_address, amount_units, priority, fee_ceiling_units, state, user_action_id)
         VALUES ('or-1', $1, 'wa-1', 'EthereumSepolia', 'us-1', '{}', $1, $2, '0x1', '0x1', $3, 'Fast', 1, 'Confirmed', 'ua-' || $1)`,
        [id, kind, units],
      );
    await client.query(
      `INSERT INTO usage_reservations (org_id, activity_id, wallet_id, amount_usd_micro, date_counted)
       VALUES ('or-1', 'tx-cancel', 'wa-1', NULL, $1), ('or-1', 'tx-call', 'wa-1', NULL, $1), ('or-1', 'xfr-known', 'wa-1', 5, $1),
              ('or-1', 'xfr-unpriced', 'wa-2', NULL, $1), ('or-2', 'tx-cancel', 'wa-3', NULL, $1)`,
      [at],
    );
    for (const minutes of [1, 60])
      await client.query(
        `INSERT INTO usage_sums (org_id, wallet_id, minutes, date_start, count, unknowns, amount_usd_micro)
         SELECT org_id, wallet_id, $1::integer, date_bin(make_interval(mins => $1::integer), date_counted, timestamptz '2000-01-01T00:00:00Z'), count(*),
                count(*) FILTER (WHERE amount_usd_micro IS NULL), coalesce(sum(amount_usd_micro), 0)
         FROM usage_reservations GROUP BY 1, 2, 3, 4`,
        [minutes],
      );
    for (const [id, status, kind, action] of [
      ['plc-named', 'Active', 'Wallets:Sign', asking({ ...programs, approvers: named })],
      ['plc-people', 'Active', 'Wallets:Sign', asking({ quorum: 1, approvers: {} })],
      ['plc-anyone', 'Active', 'Wallets:Sign', asking({ quorum: 1, approvers: {} }, programs)],
      [
        'plc-later',
        'Active',
        'Wallets:Sign',
        asking({ ...programs, approvers: named, escalation: { afterMinutes: 1, approvers: {} } }),
      ],
      ['plc-gone', 'Archived', 'Wallets:Sign', asking(programs)],
      ['plc-arriving', 'Active', 'Wallets:IncomingTransaction', '{"kind":"NoAction"}'],
    ] as const)
      await client.query(POLICY, [id, status, kind, action]);
  });
  const done = await migrate(ownerUrl);
  const told = await noticesOf(done);
  expect(told.map((line) => line.split(':')[0])).toEqual(['Policy plc-arriving of or-1']);
  expect(await noticesOf(await migrate(ownerUrl))).toEqual([]);

  const rows = await inDatabase(async (client) => ({
    counted: (
      await client.query(
        "SELECT activity_id || coalesce(amount_usd_micro::text, '?') AS row FROM usage_reservations ORDER BY org_id, 1",
      )
    ).rows,
    sums: (
      await client.query(
        `SELECT wallet_id || ' ' || minutes AS window, count, unknowns FROM usage_sums ORDER BY wallet_id, minutes`,
      )
    ).rows,
    unforced: (await client.query(`SELECT relname FROM pg_class WHERE relrowsecurity AND NOT relforcerowsecurity`)).rows,
  }));
  expect(rows.counted.map(({ row }) => row)).toEqual(['tx-call?', 'tx-cancel0', 'xfr-known5', 'xfr-unpriced?', 'tx-cancel?']);
  expect(rows.sums).toEqual([
    { window: 'wa-1 1', count: 3, unknowns: 1 },
    { window: 'wa-1 60', count: 3, unknowns: 1 },
    { window: 'wa-2 1', count: 1, unknowns: 1 },
    { window: 'wa-2 60', count: 1, unknowns: 1 },
    { window: 'wa-3 1', count: 1, unknowns: 1 },
    { window: 'wa-3 60', count: 1, unknowns: 1 },
  ]);
  expect(rows.unforced).toEqual([]);
});
