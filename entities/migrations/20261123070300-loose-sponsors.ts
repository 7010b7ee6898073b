import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `date_spent_elsewhere` records that a foreign transaction has used the nonce of a signed one although the request continues, so
 * that the service reports this event once. The relay role counts requests with an open operation by their hindrance.
 */
const looseSponsors = `
ALTER TABLE payloads ADD date_spent_elsewhere timestamptz(3);
GRANT SELECT (hindrance, version) ON transfers TO strongroom_relay;
`;

/** The service freezes the key of a fee sponsor like the key of a wallet (S18). The sponsored operation stays open. */
export class LooseSponsors20261123070300 implements MigrationInterface {
  readonly name = 'LooseSponsors20261123070300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(looseSponsors);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
