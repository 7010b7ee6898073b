import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A lane is the sequence of transactions of one sender on one network. `trouble` states why the transactions of a lane cannot
 * proceed. `made_by_service` marks transactions that the service itself requested so that a lane can proceed. The relay role sees
 * `trouble`, which contains no address.
 */
const lanes = `
ALTER TABLE lanes ADD trouble jsonb;
ALTER TABLE transfers ADD made_by_service boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT transfers_made_by_service CHECK (NOT made_by_service OR replaces_id IS NOT NULL);
CREATE INDEX lanes_in_trouble ON lanes (network) WHERE trouble IS NOT NULL;
CREATE POLICY of_relay ON lanes FOR SELECT TO strongroom_relay USING (true);
GRANT SELECT (network, trouble) ON lanes TO strongroom_relay;
`;

export class Lanes20261122050500 implements MigrationInterface {
  readonly name = 'Lanes20261122050500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lanes);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
