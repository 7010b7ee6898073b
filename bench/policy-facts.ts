import { evaluateWalletSign } from '../application/policies/evaluate-activity';
import type { Rule } from '../domain/policies';
import { openStrongroomDatabase } from '../entities/data-source';
import { organizationStore } from '../entities/organizations/organization.store';
import { newId } from '../platform/ids';
import type { Bench, Figure } from './bench';
import { median, percentile } from './percentiles';
import { startBenchPostgres } from './postgres';

const POLICIES = 1_000;
const ACTIVITIES = 1_000_000;
const ACTIVITIES_PER_STATEMENT = 100_000;
const JUDGED = 300;
const WARM_UP = 30;
const WHOLE_MAX_MS = 10;
const WHITELISTED = 100;

const RECIPIENT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TIMEFRAMES = [1, 60, 1_440, 10_080, 43_200] as const;
/** With this limit no policy triggers, so the measured time does not include approvals or notices. */
const NEVER_REACHED = 1_000_000_000;

/**
 * Measures the judgement of an activity under a thousand policies that all apply. The wallet has a million activities in the
 * longest window. Two durations are measured: from reading the policies to inserting the verdict's row, and the same duration
 * with the commit.
 */
export const policyFacts: Bench['run'] = async ({ size, say }) => {
  const postgres = await startBenchPostgres();
  const db = await openStrongroomDatabase({ url: postgres.workerUrl, poolMax: 4, applicationName: 'strongroom-bench' });
  try {
    const [orgId, keyId, walletId] = [newId('organization'), newId('key'), newId('wallet')];
    await postgres.query('INSERT INTO organizations (id, name) VALUES ($1, $1)', [orgId]);
    await postgres.query(
      `INSERT INTO keys (org_id, id, scheme, curve, status, public_key) VALUES ($1, $2, 'ECDSA', 'secp256k1', 'Active', '00')`,
      [orgId, keyId],
    );
    await postgres.query(
      `INSERT INTO wallets (org_id, id, network, key_id, status, address, request_digest, created_by)
       VALUES ($1, $2, 'EthereumSepolia', $3, 'Active', '0x' || repeat('1', 40), '', 'us')`,
      [orgId, walletId, keyId],
    );
    await postgres.query(
      `WITH written AS (
         INSERT INTO policies (org_id, id) SELECT $1, 'plc-' || lpad(n::text, 6, '0') FROM generate_series(0, $4 - 1) n
       )
       INSERT INTO policy_versions (org_id, policy_id, revision, version, status, name, activity_kind, rule, action)
       SELECT $1, 'plc-' || lpad(n::text, 6, '0'), 1, 1, 'Active', 'Policy ' || n, 'Wallets:Sign', ($2::jsonb) -> (n % $3), '{"kind":"Block"}'
       FROM generate_series(0, $4 - 1) n`,
      [orgId, JSON.stringify(RULES), RULES.length, POLICIES],
    );
    const activities = Math.round(ACTIVITIES * Math.min(1, size));
    await fill(postgres.query, { orgId, walletId, activities });
    say(`${activities} activities and ${POLICIES} policies written`);

    const wholeMs: number[] = [];
    const judgedMs: number[] = [];
    for (let at = 0; at < JUDGED + WARM_UP; at += 1) {
      const begun = performance.now();
      const activityId = newId('transfer');
      const judged = await db.withOrg(orgId, async (tx) => {
        const started = performance.now();
        const judgement = await evaluateWalletSign(
          tx,
          {
            activityId,
            activityVersion: 1,
            activity: { kind: 'Wallets:Sign', transferRequest: { id: activityId, walletId, status: 'Pending' } },
            walletId,
            initiatorId: 'us-01abc-01abc-0000000000000000',
            recipients: [RECIPIENT],
            amountUsdMicro: '25000000',
            network: 'EthereumSepolia',
            movement: null,
            envelope: { to: RECIPIENT },
          },
          await organizationStore.policyStand(tx),
        );
        if (at >= WARM_UP) judgedMs.push(performance.now() - started);
        return judgement;
      });
      if (judged.outcome !== 'Cleared') throw new Error(`the activity was ${judged.outcome}`);
      if (at >= WARM_UP) wholeMs.push(performance.now() - begun);
    }
    say(`judged in ${median(judgedMs).toFixed(2)} ms, ${median(wholeMs).toFixed(2)} ms with its commit`);
    const note = `${activities} activities of the wallet within 30 days, ${TIMEFRAMES.length} windows`;
    const name = `an activity judged by ${POLICIES} policies with its facts`;
    const figures: Figure[] = [
      { name: `${name}, p50`, value: median(judgedMs), unit: 'ms', aim: { atMost: WHOLE_MAX_MS }, note },
      { name: `${name}, p99`, value: percentile(judgedMs, 0.99), unit: 'ms' },
      { name: `${name} and the commit, p50`, value: median(wholeMs), unit: 'ms' },
    ];
    return figures;
  } finally {
    await db.close();
    await postgres.close();
  }
};

type Query = Awaited<ReturnType<typeof startBenchPostgres>>['query'];
type Filled = { readonly orgId: string; readonly walletId: string; readonly activities: number };

/** Inserts activities at equal intervals over the last thirty days, and their sums. */
async function fill(query: Query, { orgId, walletId, activities }: Filled): Promise<void> {
  for (let from = 0; from < activities; from += ACTIVITIES_PER_STATEMENT) {
    await query(
      `INSERT INTO usage_reservations (org_id, activity_id, wallet_id, amount_usd_micro, date_counted)
       SELECT $1, 'xfr-01abc-01abc-' || lpad(to_hex(n), 16, '0'), $2, 1000000, clock_timestamp() - interval '30 days' * (n::float8 / $5)
       FROM generate_series($3::integer, $4::integer) n`,
      [orgId, walletId, from, Math.min(activities, from + ACTIVITIES_PER_STATEMENT) - 1, activities],
    );
  }
  await query(
    `INSERT INTO usage_sums (org_id, wallet_id, minutes, date_start, count, unknowns, amount_usd_micro)
     SELECT $1, $2, m, date_bin(m * interval '1 minute', date_counted, timestamptz '2000-01-01T00:00:00Z'), count(*), 0, sum(amount_usd_micro)
     FROM usage_reservations CROSS JOIN (VALUES (1), (60)) AS s (m) WHERE org_id = $1 GROUP BY m, 4`,
    [orgId, walletId],
  );
  await query('ANALYZE');
}

const addresses = Array.from({ length: WHITELISTED }, (_, at) => `0x${at.toString(16).padStart(40, 'a')}`);
const limit = NEVER_REACHED;
const RULES: readonly Rule[] = TIMEFRAMES.flatMap((timeframe): Rule[] => [
  { kind: 'TransactionAmountLimit', configuration: { limit, currency: 'USD' } },
  { kind: 'TransactionAmountVelocity', configuration: { limit, currency: 'USD', timeframe } },
  { kind: 'TransactionCountVelocity', configuration: { limit, timeframe } },
  { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [...addresses, RECIPIENT.toLowerCase()] } },
]);
