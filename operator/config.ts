import { z } from 'zod';
import { DatabaseUrl, Key32, readConfig } from '../platform/config';

/** What a command needs: the database as the app role, and the key under which codes are stored. */
export const operatorConfig = () => readConfig(z.object({ DATABASE_URL: DatabaseUrl, DATA_KEK: Key32 }), process.env);
