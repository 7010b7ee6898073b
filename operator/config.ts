import { z } from 'zod';
import { NetworkSettingsText } from '../chains/network-settings';
import { AllowedRpcUrls } from '../chains/networks';
import { DatabaseUrl, Key32, NodeEnv, readConfig } from '../platform/config';
import { TEMPORAL_TLS_RULE, TemporalEnv, temporalConfigOf } from '../platform/temporal-config';

/** The requirements of a command: the database as the app role, and the key that protects stored codes. */
export const operatorConfig = () => readConfig(z.object({ DATABASE_URL: DatabaseUrl, DATA_KEK: Key32 }), process.env);

const TemporalOnly = z.object({ NODE_ENV: NodeEnv, ...TemporalEnv }).refine(TEMPORAL_TLS_RULE.holds, TEMPORAL_TLS_RULE.fault);

/** The owner of the schema, for the commands that write rows that no role of the service may write. */
export const ownerConfig = () => readConfig(z.object({ OWNER_DATABASE_URL: DatabaseUrl }), process.env);

/** The Temporal connection, for the commands that start a workflow. */
export const operatorTemporalConfig = () => temporalConfigOf(readConfig(TemporalOnly, process.env), process.env);

/** The database as its owner, who sees all organisations, the signer's folder, and the key that seals archives. */
export const backupConfig = () =>
  readConfig(z.object({ OWNER_DATABASE_URL: DatabaseUrl, DATA_KEK: Key32, SIGNER_STATE_DIR: z.string().min(1) }), process.env);

export const freezeConfig = () =>
  readConfig(z.object({ OWNER_DATABASE_URL: DatabaseUrl, SIGNER_STATE_DIR: z.string().min(1) }), process.env);

export const restoreConfig = () =>
  readConfig(
    z.object({
      OWNER_DATABASE_URL: DatabaseUrl.optional(),
      SIGNER_STATE_DIR: z.string().min(1),
      SIGNER_KEK: Key32.optional(),
      DATA_KEK: Key32.optional(),
    }),
    process.env,
  );

/** Both roots, for the ceremony that puts them on paper. */
export const escrowConfig = () => readConfig(z.object({ SIGNER_KEK: Key32, DATA_KEK: Key32 }), process.env);

export const reconcileConfig = () =>
  readConfig(
    z.object({
      OWNER_DATABASE_URL: DatabaseUrl,
      DATABASE_URL: DatabaseUrl,
      SIGNER_STATE_DIR: z.string().min(1),
      NETWORK_RPC_URLS: AllowedRpcUrls,
      NETWORK_SETTINGS: NetworkSettingsText,
    }),
    process.env,
  );
