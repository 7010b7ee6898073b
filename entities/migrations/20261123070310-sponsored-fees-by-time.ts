import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The id of a request has a prefix for its kind and then the time. The index ignores the prefix, to sort all fees by time. */
const byTime = `
CREATE INDEX sponsored_fees_by_time
  ON sponsored_fees (org_id, fee_sponsor_id, (substr(request_id, strpos(request_id, '-') + 1) COLLATE "C") DESC);
DROP INDEX sponsored_fees_of_sponsor;
`;

export class SponsoredFeesByTime20261123070310 implements MigrationInterface {
  readonly name = 'SponsoredFeesByTime20261123070310';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(byTime);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
