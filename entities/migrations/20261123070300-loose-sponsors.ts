import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * That the nonce of signed bytes was used up by foreign ones is noted where the request goes on all the same, so that it is told once. How many requests
 * stay open because their operation was not carried out is counted by the words that `explain` has for it.
 */
const looseSponsors = `
ALTER TABLE payloads ADD date_spent_elsewhere timestamptz(3);
GRANT SELECT (hindrance, version) ON transfers TO strongroom_relay;
`;

/** The key of a fee sponsor is frozen like a wallet's (S18), while the operation that it paid for stays open. */
export class LooseSponsors20261123070300 implements MigrationInterface {
  readonly name = 'LooseSponsors20261123070300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(looseSponsors);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
