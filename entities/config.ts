import { z } from 'zod';
import { OwnerDatabaseUrl, readConfig } from '../platform/config';

export const MigrationEnv = z.object({ OWNER_DATABASE_URL: OwnerDatabaseUrl });

/** The only variable of the migration job: the connection of the owner role. */
export const migrationConfig = () => readConfig(MigrationEnv, process.env);
