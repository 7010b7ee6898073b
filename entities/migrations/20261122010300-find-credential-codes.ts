import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A person who presents a code for a further credential specifies neither the organisation nor the user. A transaction that sets
 * the digest of the code sees only the row with this digest, and no other row of any organisation.
 */
const findByCode = `
CREATE INDEX one_time_codes_by_digest ON one_time_codes (code_digest) WHERE purpose = 'Credential' AND date_consumed IS NULL;
CREATE POLICY by_code ON one_time_codes FOR SELECT TO strongroom_app
  USING (purpose = 'Credential' AND code_digest = current_setting('strongroom.code_digest', true));
`;

export class FindCredentialCodes20261122010300 implements MigrationInterface {
  readonly name = 'FindCredentialCodes20261122010300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(findByCode);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
