import { z } from 'zod';
import { DatabaseUrl, Key32, NodeEnv, readConfig } from '../platform/config';
import { TEMPORAL_TLS_RULE, TemporalEnv, temporalConfigOf } from '../platform/temporal-config';

/** What a command needs: the database as the app role, and the key under which codes are stored. */
export const operatorConfig = () => readConfig(z.object({ DATABASE_URL: DatabaseUrl, DATA_KEK: Key32 }), process.env);

const TemporalOnly = z.object({ NODE_ENV: NodeEnv, ...TemporalEnv }).refine(TEMPORAL_TLS_RULE.holds, TEMPORAL_TLS_RULE.fault);

/** Where Temporal is, for the commands that start something there. */
export const operatorTemporalConfig = () => temporalConfigOf(readConfig(TemporalOnly, process.env), process.env);
