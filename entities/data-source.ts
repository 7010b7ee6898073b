import { type Database, openDatabase } from './database';
import { ENTITIES } from './entities';

type Options = { readonly url: string; readonly poolMax: number; readonly applicationName: string };

/** Each of the two pools has at most `poolMax` connections. */
export function openStrongroomDatabase(options: Options): Promise<Database> {
  return openDatabase({ ...options, entities: ENTITIES });
}
