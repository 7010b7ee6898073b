import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError, Flag, LogLevel, readConfig } from '../platform/config';
import {
  SIGNER_PLACE_FAULT,
  SignerAddress,
  type SignerPlace,
  SignerTlsEnv,
  SocketPath,
  signerPlaceOf,
} from '../platform/signer-place';
import { errorCode } from './error-code';
import { ARITHMETICS } from './protocol';

const KEY_BYTES = 32;

/** The value of an ASCII hex digit; undefined for any other byte. */
function nibble(byte: number | undefined): number | undefined {
  const value = byte === undefined ? Number.NaN : Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? undefined : value;
}

/** Digit by digit, because a key that was once a string can never be wiped. */
function parseKey(text: Buffer): Buffer | undefined {
  const end = text.at(-1) === 0x0a ? text.length - 1 : text.length;
  if (end !== KEY_BYTES * 2) return undefined;
  const key = Buffer.alloc(KEY_BYTES);
  for (let at = 0; at < KEY_BYTES; at += 1) {
    const [high, low] = [nibble(text[at * 2]), nibble(text[at * 2 + 1])];
    if (high === undefined || low === undefined) return undefined;
    key[at] = high * 16 + low;
  }
  return key;
}

function faultOf(path: string): string | undefined {
  const stats = statSync(path);
  if (!stats.isFile()) return 'is not a regular file';
  if ((stats.mode & 0o177) !== 0)
    return `has mode 0${(stats.mode & 0o777).toString(8)}; only its owner may read it (0400 or 0600)`;
  return undefined;
}

/** A file of 64 hex digits that nobody but its owner can read. */
const KeyFile = z.string().transform((path, context) => {
  const refuse = (fault: string) => {
    context.addIssue({ code: 'custom', message: `${path} ${fault}` });
    return z.NEVER;
  };
  try {
    const fault = faultOf(path);
    if (fault) return refuse(fault);
    const text = readFileSync(path);
    const key = parseKey(text);
    text.fill(0);
    return key ?? refuse('does not hold 64 hex digits');
  } catch (error) {
    return refuse(`cannot be read (${errorCode(error) ?? 'unknown fault'})`);
  }
});

const Shape = z.object({
  SIGNER_SOCKET: SocketPath.optional(),
  /** In its place: unix:/path, or tls://host:port with the two variables behind it. */
  SIGNER_LISTEN: SignerAddress.optional(),
  ...SignerTlsEnv,
  SIGNER_KEK_FILE: KeyFile,
  SIGNER_AUTH_FILE: KeyFile,
  SIGNER_STATE_DIR: z.string(),
  /** Waits for the state folder while another signer works on it, in place of ending. */
  SIGNER_STANDBY: Flag.default(false),
  // Not the portable one when nothing is said: it is weaker, and whoever runs it has to have decided so.
  SIGNER_ARITHMETIC: z.enum(ARITHMETICS).default('native'),
  SIGNER_NATIVE_FILE: z.string().default(join(__dirname, 'native', 'strongroom.node')),
  LOG_LEVEL: LogLevel,
});
type Values = z.output<typeof Shape>;
const placeOf = ({ SIGNER_LISTEN: address, ...given }: Values): SignerPlace | undefined => signerPlaceOf({ ...given, address });
/** No two ways at once, and no TCP without its certificates. */
const Config = Shape.refine((values) => placeOf(values) !== undefined, {
  path: ['SIGNER_SOCKET'],
  message: SIGNER_PLACE_FAULT,
  when: () => true,
});

/** Throws a `ConfigError` that lists every fault. The two key buffers belong to the caller. */
export function readSignerConfig() {
  const config = readConfig(Config, process.env);
  const place = placeOf(config);
  if (!place) throw new ConfigError(`SIGNER_SOCKET: ${SIGNER_PLACE_FAULT}`);
  return {
    place,
    kek: config.SIGNER_KEK_FILE,
    authKey: config.SIGNER_AUTH_FILE,
    stateDir: config.SIGNER_STATE_DIR,
    standsBy: config.SIGNER_STANDBY,
    arithmetic: config.SIGNER_ARITHMETIC,
    nativeFile: config.SIGNER_NATIVE_FILE,
    logLevel: config.LOG_LEVEL,
  };
}
