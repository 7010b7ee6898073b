import { type Database, openDatabase } from './database';
import { ENTITIES } from './entities';

type Options = { readonly url: string; readonly poolMax: number; readonly applicationName: string };

/** The database of a role, with every entity registered. `poolMax` counts the connections of each of the two pools. */
export function openStrongroomDatabase(options: Options): Promise<Database> {
  return openDatabase({ ...options, entities: ENTITIES });
}
