import { z } from 'zod';
import { DatabaseUrl, readConfig } from '../platform/config';

/** The one variable of the migration job: the owner role's connection. */
export const migrationConfig = () => readConfig(z.object({ OWNER_DATABASE_URL: DatabaseUrl }), process.env);
