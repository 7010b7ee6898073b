import { join } from 'node:path';
import { z } from 'zod';
import { SIGNER_SWITCH_NAMES, SIGNER_SWITCHES } from '../domain/signer-switches';
import { ConfigError, Flag, LogLevel, readConfig } from '../platform/config';
import {
  SIGNER_PLACE_FAULT,
  SignerAddress,
  type SignerPlace,
  SignerTlsEnv,
  SocketPath,
  signerPlaceOf,
} from '../platform/signer-place';
import { type KekConfig, KekEnv, kekConfigOf } from './keys/kek/config';
import { readKeyFile } from './keys/key-file';
import { ARITHMETICS } from './protocol';

/** A file of 64 hex digits that only its owner can read. */
const KeyFile = z.string().transform((path, context) => {
  const refuse = (fault: string) => {
    context.addIssue({ code: 'custom', message: fault });
    return z.NEVER;
  };
  const key = readKeyFile(path);
  return Buffer.isBuffer(key) ? key : refuse(key.fault);
});

const Shape = z.object({
  SIGNER_SOCKET: SocketPath.optional(),
  /** Replaces the path: unix:/path, or tls://host:port together with the two variables below. */
  SIGNER_LISTEN: SignerAddress.optional(),
  ...SignerTlsEnv,
  ...KekEnv,
  SIGNER_AUTH_FILE: KeyFile,
  SIGNER_STATE_DIR: z.string(),
  /** Waits for the state folder while another signer holds it, instead of ending. */
  SIGNER_STANDBY: Flag.default(false),
  /** Features that are off unless the configuration switches them on (`SIGNER_SWITCHES`). */
  SIGNER_EXPORT: Flag.default(false),
  SIGNER_HASH: Flag.default(false),
  SIGNER_CHAINLESS_TYPED_DATA: Flag.default(false),
  // The portable arithmetic is weaker, so it is never the default: the operator has to choose it.
  SIGNER_ARITHMETIC: z.enum(ARITHMETICS).default('native'),
  SIGNER_NATIVE_FILE: z.string().default(join(__dirname, 'native', 'strongroom.node')),
  LOG_LEVEL: LogLevel,
});
type Values = z.output<typeof Shape>;
const placeOf = ({ SIGNER_LISTEN: address, ...given }: Values): SignerPlace | undefined => signerPlaceOf({ ...given, address });
/** One address only, and no TCP without its certificates. */
const Config = Shape.refine((values) => placeOf(values) !== undefined, {
  path: ['SIGNER_SOCKET'],
  message: SIGNER_PLACE_FAULT,
  when: () => true,
});

/** Throws a `ConfigError` that lists every fault. The key buffers belong to the caller. */
export function readSignerConfig() {
  let keks: KekConfig | undefined;
  const config = readConfig(
    Config.superRefine(
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
  return {
    place,
    keks,
    authKey: config.SIGNER_AUTH_FILE,
    stateDir: config.SIGNER_STATE_DIR,
    standsBy: config.SIGNER_STANDBY,
    switches: new Set(SIGNER_SWITCH_NAMES.filter((name) => config[SIGNER_SWITCHES[name]])),
    arithmetic: config.SIGNER_ARITHMETIC,
    nativeFile: config.SIGNER_NATIVE_FILE,
    logLevel: config.LOG_LEVEL,
  };
}
