import { z } from 'zod';
import { OwnerDatabaseUrl, readConfig } from '../platform/config';

export const MigrationEnv = z.object({ OWNER_DATABASE_URL: OwnerDatabaseUrl });

export const migrationConfig = () => readConfig(MigrationEnv, process.env);
