import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who froze the deployment. The default is what an older release's `freeze` means, which does not know the column. A restore of an older
 * archive freezes before this migration runs and is recognised here by the words that it writes.
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
