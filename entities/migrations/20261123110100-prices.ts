import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The prices of assets, only for display: policies query the sources themselves. The worker writes the prices. The API, which
 * does not query vendors, reads them. `contract` is empty for the native asset. A transfer keeps the quotes from the time of its
 * request.
 */
const prices = `
CREATE TABLE prices (
  network text NOT NULL, contract text NOT NULL,
  usd_micro numeric(24,0) CHECK (usd_micro > 0), eur_micro numeric(24,0) CHECK (eur_micro > 0), decimals integer,
  date_until timestamptz(3), date_asked timestamptz(3) NOT NULL,
  PRIMARY KEY (network, contract), CHECK ((usd_micro IS NULL) = (date_until IS NULL))
);
GRANT SELECT ON prices TO strongroom_app, strongroom_worker;
GRANT INSERT, UPDATE ON prices TO strongroom_worker;
ALTER TABLE transfers ADD asset_quotes jsonb;
`;

export class Prices20261123110100 implements MigrationInterface {
  readonly name = 'Prices20261123110100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(prices);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
