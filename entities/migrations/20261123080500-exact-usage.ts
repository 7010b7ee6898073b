import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['transfers', 'usage_reservations', 'usage_sums'] as const;
const forced = (how: 'FORCE' | 'NO FORCE') => TABLES.map((table) => `ALTER TABLE ${table} ${how} ROW LEVEL SECURITY;`).join('\n');

/**
 * Values keep all their decimals, so that only a sum is rounded. Before this migration, the value of a cancellation or a filled
 * nonce was unknown, and an unknown value made every rule about amounts trigger for the length of its window. The migration sets
 * the value to zero, also in the sums.
 */
const exactUsage = `
ALTER TABLE usage_reservations ALTER amount_usd_micro TYPE numeric;
ALTER TABLE usage_sums ALTER amount_usd_micro TYPE numeric;
${forced('NO FORCE')}
WITH worthless AS (
  UPDATE usage_reservations r SET amount_usd_micro = 0 FROM transfers t
  WHERE t.org_id = r.org_id AND t.id = r.activity_id AND t.asset_kind = 'Native' AND t.amount_units = 0 AND r.amount_usd_micro IS NULL
  RETURNING r.org_id, r.wallet_id, r.date_counted
),
known AS (
  SELECT w.org_id, w.wallet_id, span.minutes,
         date_bin(span.minutes * interval '1 minute', w.date_counted, timestamptz '2000-01-01T00:00:00Z') AS date_start, count(*) AS count
  FROM worthless w CROSS JOIN (VALUES (1), (60)) AS span (minutes) GROUP BY 1, 2, 3, 4
)
UPDATE usage_sums s SET unknowns = s.unknowns - k.count FROM known k
WHERE s.org_id = k.org_id AND s.wallet_id = k.wallet_id AND s.minutes = k.minutes AND s.date_start = k.date_start;
${forced('FORCE')}
`;

export class ExactUsage20261123080500 implements MigrationInterface {
  readonly name = 'ExactUsage20261123080500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(exactUsage);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
