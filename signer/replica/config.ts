import { z } from 'zod';
import { ConfigError, LogLevel, readConfig } from '../../platform/config';
import { SIGNER_PLACE_FAULT, SignerAddress, SignerTlsEnv, SocketPath, signerPlaceOf } from '../../platform/signer-place';
import { KeyFile, keyFileMeta } from '../keys/key-file-variable';

const Shape = z.object({
  SIGNER_SOCKET: SocketPath.optional().describe('Unix socket on which the replica listens.'),
  SIGNER_LISTEN: SignerAddress.optional().describe('Address on which the replica listens, in place of `SIGNER_SOCKET`.'),
  ...SignerTlsEnv,
  SIGNER_REPLICA_AUTH_FILE: KeyFile.meta(
    keyFileMeta('Key that authenticates each frame between signer and replica, the same file on both sides.'),
  ),
  SIGNER_STATE_DIR: z.string().min(1).meta({ form: 'path', description: "Folder of the copy of the signer's journal." }),
  LOG_LEVEL: LogLevel,
});
const placeOf = ({ SIGNER_LISTEN: address, ...given }: z.output<typeof Shape>) => signerPlaceOf({ ...given, address });
export const ReplicaEnv = Shape.refine((values) => placeOf(values) !== undefined, {
  path: ['SIGNER_SOCKET'],
  message: SIGNER_PLACE_FAULT,
  when: () => true,
});

export function readReplicaConfig() {
  const config = readConfig(ReplicaEnv, process.env);
  const place = placeOf(config);
  if (!place) throw new ConfigError(`SIGNER_SOCKET: ${SIGNER_PLACE_FAULT}`);
  const { SIGNER_REPLICA_AUTH_FILE: authKey, SIGNER_STATE_DIR: stateDir, LOG_LEVEL: logLevel } = config;
  return { place, authKey, stateDir, logLevel };
}
