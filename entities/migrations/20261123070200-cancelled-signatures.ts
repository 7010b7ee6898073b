import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A cancellation may replace a transaction that the service signed but did not send. The replaced record is then a signature
 * request and not a transfer. When the cancellation is built, it takes over the claims (reserved nonces and coins) of the
 * signature request.
 */
const cancelledSignatures = `
ALTER TABLE transfers
  ADD cancels_signature_id text COLLATE "C",
  ADD FOREIGN KEY (org_id, cancels_signature_id) REFERENCES signatures (org_id, id),
  DROP CONSTRAINT transfers_replacement,
  ADD CONSTRAINT transfers_replacement CHECK ((replacement_kind IS NULL) = (replaces_id IS NULL AND cancels_signature_id IS NULL)
    AND (claims_of IS NULL OR replaces_id IS NOT NULL) AND (replacement_kind IS DISTINCT FROM 'SpeedUp' OR claims_of IS NOT NULL)),
  ADD CONSTRAINT transfers_cancelling_signature CHECK (cancels_signature_id IS NULL
    OR (replacement_kind = 'Cancel' AND replaces_id IS NULL AND pays_for_id IS NULL));
CREATE INDEX transfers_cancelling_signatures ON transfers (org_id, cancels_signature_id) WHERE cancels_signature_id IS NOT NULL;
`;

export class CancelledSignatures20261123070200 implements MigrationInterface {
  readonly name = 'CancelledSignatures20261123070200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(cancelledSignatures);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
