import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the transactions that created nonce accounts for another wallet. Few requests are of this kind. */
const index = `
CREATE INDEX transfers_making_nonces ON transfers (org_id, network, (request_body ->> 'nonceAuthority'))
  WHERE request_body ->> 'kind' = 'CreateSolanaNonceAccounts';
`;

export class NonceMakers20261201051000 implements MigrationInterface {
  readonly name = 'NonceMakers20261201051000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(index);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
