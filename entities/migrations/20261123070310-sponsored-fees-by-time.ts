import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ids of requests begin with their kind and go on with their time: fees of both kinds are listed by the latter. */
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
