import { z } from 'zod';
import { OwnerDatabaseUrl, readConfig } from '../platform/config';

export const MigrationEnv = z.object({ OWNER_DATABASE_URL: OwnerDatabaseUrl });

/** The one variable of the migration job: the owner role's connection. */
export const migrationConfig = () => readConfig(MigrationEnv, process.env);
