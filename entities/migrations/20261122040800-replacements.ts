import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A request may compete with another request for the same nonce or coin. The competing request has no claim (reservation) of its
 * own: `claims_of` contains the id of the request whose claims both share. So the unique index excludes all other requests, and
 * the first request of the group that becomes final ends the whole group (S7).
 */
const replacements = `
ALTER TABLE transfers
  ADD replacement_kind text CHECK (replacement_kind IN ('SpeedUp', 'Cancel')),
  ADD replaces_id text COLLATE "C",
  ADD replaced_by_id text COLLATE "C",
  ADD claims_of text COLLATE "C",
  ADD abort_asked timestamptz(3),
  ADD CONSTRAINT transfers_replacement CHECK ((replacement_kind IS NULL) = (replaces_id IS NULL)
    AND (claims_of IS NULL OR replaces_id IS NOT NULL) AND (replacement_kind IS DISTINCT FROM 'SpeedUp' OR claims_of IS NOT NULL)),
  ADD FOREIGN KEY (org_id, replaces_id) REFERENCES transfers (org_id, id),
  ADD FOREIGN KEY (org_id, claims_of) REFERENCES transfers (org_id, id);
CREATE INDEX transfers_sharing_claims ON transfers (org_id, claims_of) WHERE claims_of IS NOT NULL;
CREATE INDEX transfers_replacing ON transfers (org_id, replaces_id) WHERE replaces_id IS NOT NULL;
GRANT SELECT (claims_of) ON transfers TO strongroom_relay;
`;

export class Replacements20261122040800 implements MigrationInterface {
  readonly name = 'Replacements20261122040800';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(replacements);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
