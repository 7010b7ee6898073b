import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The signer's newest anchor (a short text that dates signed actions), which the worker stores for the API, and the anchor under
 * which each user action was announced. The anchor is null for actions from earlier releases.
 */
const anchors = `
CREATE TABLE signer_anchors (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), anchor text COLLATE "C" NOT NULL, date_asked timestamptz(3) NOT NULL
);
GRANT SELECT ON signer_anchors TO strongroom_app, strongroom_worker;
GRANT INSERT, UPDATE ON signer_anchors TO strongroom_worker;
ALTER TABLE user_actions ADD anchor text COLLATE "C";
`;

export class Anchors20261125120000 implements MigrationInterface {
  readonly name = 'Anchors20261125120000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(anchors);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
