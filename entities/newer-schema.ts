import type { SchemaState } from './deployment/release.store';

/** A newer release has migrated the database, so this release changes nothing. */
export class NewerSchema extends Error {
  constructor({ release }: SchemaState, own: string, unknown: readonly string[]) {
    super(
      `This is release ${own}, and release ${release ?? 'of a newer date'} has changed this database: ${unknown.join(', ')} ${
        unknown.length === 1 ? 'is a change' : 'are changes'
      } that ${own} does not know. Nothing was done. Start ${release === null ? 'the newer release' : `release ${release}`} again, or restore the backup from before the upgrade.`,
    );
    this.name = 'NewerSchema';
  }
}
