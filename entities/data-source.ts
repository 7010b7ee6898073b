import { type Database, openDatabase } from './database';
import { ENTITIES } from './entities';

type Options = { readonly url: string; readonly poolMax: number; readonly applicationName: string };

/**
 * Opens the database for one process, with every entity registered. Each of its two pools has at most `poolMax` connections.
 */
export function openStrongroomDatabase(options: Options): Promise<Database> {
  return openDatabase({ ...options, entities: ENTITIES });
}
