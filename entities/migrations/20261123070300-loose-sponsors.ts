import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `date_spent_elsewhere` records when a foreign transaction used the nonce of a signed transaction whose request continues, so
 * that the service reports this use only once. The relay role counts the requests whose hindrance shows that an operation is
 * open.
 */
const looseSponsors = `
ALTER TABLE payloads ADD date_spent_elsewhere timestamptz(3);
GRANT SELECT (hindrance, version) ON transfers TO strongroom_relay;
`;

/**
 * The service freezes the key of a fee sponsor in the same way as the key of a wallet (S18). The sponsored operation stays open.
 */
export class LooseSponsors20261123070300 implements MigrationInterface {
  readonly name = 'LooseSponsors20261123070300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(looseSponsors);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
