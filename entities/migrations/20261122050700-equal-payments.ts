import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A request that repeats an earlier payment may be held until a person confirms the request (S16). `equal_to_id` is the id of the
 * earlier payment, and an unconfirmed request fails at `equal_until`. The index limits the search for earlier payments to one
 * recipient.
 */
const equalPayments = `
ALTER TABLE transfers
  ADD equal_to_id text COLLATE "C",
  ADD equal_until timestamptz(3),
  ADD equal_confirmed timestamptz(3),
  ADD equal_confirmed_by text COLLATE "C",
  ADD CONSTRAINT transfers_equal_payment CHECK ((equal_to_id IS NULL) = (equal_until IS NULL)
    AND (equal_confirmed IS NULL OR equal_until IS NOT NULL) AND (equal_confirmed IS NULL) = (equal_confirmed_by IS NULL)),
  ADD FOREIGN KEY (org_id, equal_to_id) REFERENCES transfers (org_id, id);
CREATE INDEX transfers_by_recipient ON transfers (org_id, wallet_id, to_address, date_requested);
`;

export class EqualPayments20261122050700 implements MigrationInterface {
  readonly name = 'EqualPayments20261122050700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(equalPayments);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
