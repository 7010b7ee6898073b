import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * This column contains the origin of a freeze. The command `freeze` of an older release does not set the column, so the default
 * is `Operator`. A restore of an older archive freezes the deployment before this migration runs. The migration recognises such a
 * restore by the text of the reason.
 */
export class FreezeKind20261123100200 implements MigrationInterface {
  readonly name = 'FreezeKind20261123100200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE deployment ADD COLUMN freeze_kind text COLLATE "C" NOT NULL DEFAULT 'Operator'
        CHECK (freeze_kind IN ('Restored', 'Operator'));
      UPDATE deployment SET freeze_kind = 'Restored' WHERE date_frozen IS NOT NULL AND reason LIKE 'Restored from the backup of %';
      GRANT SELECT (freeze_kind) ON deployment TO strongroom_app, strongroom_worker;`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: expand first, contract in a later release');
  }
}
