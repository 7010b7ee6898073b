import { join } from 'node:path';
import { z } from 'zod';
import { SIGNER_SWITCH_NAMES, SIGNER_SWITCHES, SWITCHED } from '../domain/signer-switches';
import { ConfigError, Flag, LogLevel, readConfig } from '../platform/config';
import {
  SIGNER_PLACE_FAULT,
  SignerAddress,
  type SignerPlace,
  SignerStateDir,
  SignerTlsEnv,
  SocketPath,
  signerPlaceOf,
} from '../platform/signer-place';
import { OperatorKeyEnv } from './charters/operator-key-variable';
import { type KekConfig, KekEnv, kekConfigOf } from './keys/kek/config';
import { KeyFile, keyFileMeta } from './keys/key-file-variable';
import { ARITHMETICS } from './protocol';

const switchFor = (allowed: string) =>
  Flag.default(false).describe(`Allows ${allowed} ([operations.md](operations.md#what-the-signer-leaves-off)).`);

const Shape = z.object({
  SIGNER_SOCKET: SocketPath.optional().describe('Unix socket on which the signer listens.'),
  SIGNER_LISTEN: SignerAddress.optional().describe('Address on which the signer listens, in place of `SIGNER_SOCKET`.'),
  ...SignerTlsEnv,
  ...KekEnv,
  SIGNER_AUTH_FILE: KeyFile.meta(
    keyFileMeta('Key that authenticates each frame between worker and signer, the same as `SIGNER_AUTH` of the worker.'),
  ),
  SIGNER_STATE_DIR: SignerStateDir,
  SIGNER_STANDBY: Flag.default(false).describe(
    'Waits while another signer uses the state folder, and takes over when the other signer shows no sign of life.',
  ),
  ...OperatorKeyEnv,
  SIGNER_REPLICA: SignerAddress.optional().describe(
    'Address of the replica, which gets every entry of the journal before the signer replies; needs `SIGNER_OPERATOR_KEY` ([operations.md](operations.md#a-replica)).',
  ),
  SIGNER_REPLICA_AUTH_FILE: KeyFile.optional().meta(
    keyFileMeta('Key that authenticates each frame between signer and replica, the same file on both sides.'),
  ),
  SIGNER_REPLICA_NAMES: SignerTlsEnv.SIGNER_TLS_NAMES.describe(
    'Accepted names of the replica; its certificate must have at least one of them. `tls://` also needs `SIGNER_TLS_DIR`.',
  ),
  SIGNER_EXPORT: switchFor(SWITCHED.Export),
  SIGNER_HASH: switchFor(SWITCHED.Hash.replace(/,$/, '')),
  SIGNER_CHAINLESS_TYPED_DATA: switchFor(SWITCHED.ChainlessTypedData),
  // The portable arithmetic leaves copies of keys in memory, so an operator has to choose it.
  SIGNER_ARITHMETIC: z
    .enum(ARITHMETICS)
    .default('native')
    .describe(
      'Implementation of the arithmetic that signs. `portable` is slower and leaves copies of keys in memory; `native` needs the native code, or the signer does not start.',
    ),
  SIGNER_NATIVE_FILE: z
    .string()
    .default(join(__dirname, 'native', 'strongroom.node'))
    .meta({ form: 'path', standard: 'beside the program', description: 'File of the native code.' }),
  LOG_LEVEL: LogLevel,
});
type Values = z.output<typeof Shape>;
const placeOf = ({ SIGNER_LISTEN: address, ...given }: Values): SignerPlace | undefined => signerPlaceOf({ ...given, address });
const replicaPlaceOf = ({ SIGNER_REPLICA: address, SIGNER_TLS_DIR, SIGNER_REPLICA_NAMES }: Values): SignerPlace | undefined =>
  address && signerPlaceOf({ address, SIGNER_TLS_DIR, SIGNER_TLS_NAMES: SIGNER_REPLICA_NAMES });
/** Without the operator's key, the operator could never let the signer run alone after the loss of the replica. */
const isReplicaWhole = (values: Values) =>
  values.SIGNER_REPLICA === undefined ||
  (replicaPlaceOf(values) !== undefined &&
    values.SIGNER_REPLICA_AUTH_FILE !== undefined &&
    values.SIGNER_OPERATOR_KEY !== undefined);
export const SignerEnv = Shape.refine((values) => placeOf(values) !== undefined, {
  path: ['SIGNER_SOCKET'],
  message: SIGNER_PLACE_FAULT,
  when: () => true,
}).refine(isReplicaWhole, {
  path: ['SIGNER_REPLICA'],
  message: 'needs SIGNER_REPLICA_AUTH_FILE and SIGNER_OPERATOR_KEY; tls://… also needs SIGNER_TLS_DIR and SIGNER_REPLICA_NAMES',
});

/** Throws a `ConfigError` that lists every fault. The caller wipes the key buffers. */
export function readSignerConfig() {
  let keks: KekConfig | undefined;
  const config = readConfig(
    SignerEnv.superRefine(
      (values, context) => {
        const read = kekConfigOf(values, process.env);
        if ('active' in read) keks = read;
        else for (const { path, fault } of read) context.addIssue({ code: 'custom', path: [path], message: fault });
      },
      { when: () => true },
    ),
    process.env,
  );
  const place = placeOf(config);
  if (!place || !keks) throw new ConfigError(`SIGNER_SOCKET: ${SIGNER_PLACE_FAULT}`);
  const [replicaPlace, replicaKey] = [replicaPlaceOf(config), config.SIGNER_REPLICA_AUTH_FILE];
  return {
    place,
    keks,
    replica: replicaPlace && replicaKey && { place: replicaPlace, authKey: replicaKey },
    authKey: config.SIGNER_AUTH_FILE,
    stateDir: config.SIGNER_STATE_DIR,
    standsBy: config.SIGNER_STANDBY,
    operatorKey: config.SIGNER_OPERATOR_KEY,
    switches: new Set(SIGNER_SWITCH_NAMES.filter((name) => config[SIGNER_SWITCHES[name]])),
    arithmetic: config.SIGNER_ARITHMETIC,
    nativeFile: config.SIGNER_NATIVE_FILE,
    logLevel: config.LOG_LEVEL,
  };
}
