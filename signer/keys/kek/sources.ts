import { join } from 'node:path';
import { parseKey, readKeyFile } from '../key-file';

export type KekSource =
  | { readonly kind: 'local'; readonly secret: Buffer; readonly isFromEnvironment: boolean }
  | { readonly kind: 'aws-kms'; readonly arn: string };
export type KekFault = { readonly fault: string };

type Env = Readonly<Record<string, string | undefined>>;

const FORMS = 'file:<path>, credential:<name>, env:<VARIABLE> or aws-kms:<key ARN>';
/** Rejects the ARN of an alias. An alias can be moved to another key while data keys are still wrapped by the previous key. */
const ARN = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:key\/[A-Za-z0-9-]+$/;
/** A plain file name, which cannot lead out of the folder of credentials. */
const CREDENTIAL = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

export const regionOf = (arn: string): string => ARN.exec(arn)?.[1] ?? '';

/**
 * `credential` is a file in the folder that systemd gives the unit (systemd.exec(5), LoadCredential=). `env` is for development
 * only, because /proc exposes an environment and child processes inherit it.
 */
export function readKekSource(text: string, env: Env, isProduction: boolean): KekSource | KekFault {
  const [, kind, name = ''] = /^([a-z-]+):(.+)$/.exec(text) ?? [];
  if (kind === 'file') return local(readKeyFile(name), false);
  if (kind === 'credential') return readCredential(name, env);
  if (kind === 'env') return readVariable(name, env, isProduction);
  if (kind !== 'aws-kms') return { fault: `must be ${FORMS}` };
  return ARN.test(name)
    ? { kind, arn: name }
    : { fault: `${name} is not the ARN of a key, as arn:aws:kms:<region>:<account>:key/<id>` };
}

const local = (secret: Buffer | KekFault, isFromEnvironment: boolean): KekSource | KekFault =>
  Buffer.isBuffer(secret) ? { kind: 'local', secret, isFromEnvironment } : secret;

function readCredential(name: string, { CREDENTIALS_DIRECTORY: folder }: Env): KekSource | KekFault {
  if (!folder) return { fault: 'credential: needs CREDENTIALS_DIRECTORY, which systemd sets for a unit with LoadCredential=' };
  if (!CREDENTIAL.test(name)) return { fault: `${name} is not the name of a credential` };
  return local(readKeyFile(join(folder, name)), false);
}

function readVariable(name: string, env: Env, isProduction: boolean): KekSource | KekFault {
  if (isProduction) return { fault: 'env: is for development; in production use file:, credential: or aws-kms:' };
  const text = Buffer.from(env[name] ?? '');
  return local(parseKey(text) ?? { fault: `${name} does not hold 64 hex digits` }, true);
}
