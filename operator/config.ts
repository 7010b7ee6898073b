import { z } from 'zod';
import { NetworkSettingsText } from '../chains/network-settings';
import { AllowedRpcUrls } from '../chains/networks';
import { ConfigError, DatabaseUrl, DataKek, Key32, NodeEnv, OwnerDatabaseUrl, readConfig } from '../platform/config';
import { SignerStateDir } from '../platform/signer-place';
import { TEMPORAL_TLS_RULE, TemporalEnv, temporalConfigOf } from '../platform/temporal-config';
import { FOLDER_CODE } from '../signer/wire/operator-api';

const OWNER = { OWNER_DATABASE_URL: OwnerDatabaseUrl };
const APP = { DATABASE_URL: DatabaseUrl.describe('Connection of the role `strongroom_app`.') };
const STATE = { SIGNER_STATE_DIR: SignerStateDir };
const DATA = { DATA_KEK: DataKek };
const ROOT = { SIGNER_KEK: Key32.describe('Key-encryption key of the signer.') };

const OnlineEnv = z.object({ ...APP, ...DATA });
const OwnerEnv = z.object(OWNER);
const TemporalOnly = z.object({ NODE_ENV: NodeEnv, ...TemporalEnv }).refine(TEMPORAL_TLS_RULE.holds, TEMPORAL_TLS_RULE.fault);
const BackupEnv = z.object({ ...OWNER, ...DATA, ...STATE });
const FreezeEnv = z.object({ ...OWNER, ...STATE });
const RestoreEnv = z
  .object({ ...FreezeEnv.shape, ...ROOT, ...DATA })
  .partial({ OWNER_DATABASE_URL: true, SIGNER_KEK: true, DATA_KEK: true });
const EscrowEnv = z.object({ ...ROOT, ...DATA });
const ReconcileEnv = z.object({
  ...OWNER,
  ...APP,
  ...STATE,
  NETWORK_RPC_URLS: AllowedRpcUrls,
  NETWORK_SETTINGS: NetworkSettingsText,
});

const StateEnv = z.object(STATE);
const CharterEnv = z.object({ ...APP, ...STATE });
const VerifyEnv = z.object({ ...STATE, ...FOLDER_CODE.Env });
/** For commands on the operator's own machine. */
const NothingEnv = z.object({});

export const COMMAND_ENVS: readonly { readonly commands: readonly string[]; readonly schema: z.ZodObject }[] = [
  {
    commands: [
      'org:create',
      'org:join',
      'org:reissue',
      'org:service-account-votes',
      'keys:rotate-kek',
      'keys:rotate-dek',
      'keys:destroy-dek',
    ],
    schema: OnlineEnv,
  },
  { commands: ['org:create --new-tenant', 'org:reissue'], schema: OwnerEnv },
  { commands: ['keys:rotate-kek', 'keys:rotate-dek'], schema: TemporalOnly },
  { commands: ['backup'], schema: BackupEnv },
  { commands: ['keys:escrow'], schema: EscrowEnv },
  { commands: ['restore'], schema: RestoreEnv },
  { commands: ['freeze'], schema: FreezeEnv },
  { commands: ['reconcile'], schema: ReconcileEnv },
  { commands: ['authority:draft', 'authority:status --org'], schema: CharterEnv },
  {
    commands: ['authority:adopt', 'authority:restrict', 'authority:status', 'authority:alone', 'key-store'],
    schema: StateEnv,
  },
  { commands: ['authority:verify'], schema: VerifyEnv },
  { commands: ['authority:key', 'authority:sign'], schema: NothingEnv },
];

export const operatorConfig = () => readConfig(OnlineEnv, process.env);

/** The connection of the schema's owner, for rows that no role of the service may write. */
export const ownerConfig = () => readConfig(OwnerEnv, process.env);

export const operatorTemporalConfig = () => temporalConfigOf(readConfig(TemporalOnly, process.env), process.env);

export const backupConfig = () => readConfig(BackupEnv, process.env);

export const freezeConfig = () => readConfig(FreezeEnv, process.env);

export const restoreConfig = () => readConfig(RestoreEnv, process.env);

export const escrowConfig = () => readConfig(EscrowEnv, process.env);

export const reconcileConfig = () => readConfig(ReconcileEnv, process.env);

export const charterConfig = () => readConfig(CharterEnv, process.env);

export const signerStateConfig = () => readConfig(StateEnv, process.env);

/** Reads the signer's keys from the sources that the signer uses. */
export function verifyConfig() {
  const values = readConfig(VerifyEnv, process.env);
  const keks = FOLDER_CODE.kekConfigOf(values, process.env);
  if (!('active' in keks))
    throw new ConfigError(`The configuration is not usable:\n${keks.map(({ path, fault }) => `  ${path}: ${fault}`).join('\n')}`);
  return { stateDir: values.SIGNER_STATE_DIR, operatorKey: values.SIGNER_OPERATOR_KEY, keks };
}
