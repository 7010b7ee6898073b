import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { HttpUrl, NodeEnv } from '../../../platform/config';
import { errorCode } from '../../error-code';
import { readPrivateFile } from '../key-file';
import { type KekFault, type KekSource, readKekSource } from './sources';

/**
 * The sources are parsed after the whole configuration is known, because `NODE_ENV` decides whether a source may be a variable
 * of the environment.
 */
export const KekEnv = {
  SIGNER_KEK_FILE: z.string().optional().meta({
    form: 'path of a file with 64 hex digits, mode 0400 or 0600',
    secretFile: true,
    description: 'Active key-encryption key, which wraps new data keys; the same as `SIGNER_KEK_SOURCE=file:<path>`.',
  }),
  SIGNER_KEK_SOURCE: z.string().optional().meta({
    form: 'source of a key',
    description:
      'Source of the active key-encryption key, in place of `SIGNER_KEK_FILE` ([operations.md](operations.md#where-the-key-encryption-key-lies)).',
  }),
  SIGNER_KEK_OLD_SOURCES: z.string().default('').meta({
    form: 'sources, separated by commas',
    description: 'Sources of earlier keys, which only open data keys that are still wrapped under them.',
  }),
  SIGNER_KMS_SOCKET: z
    .string()
    .optional()
    .meta({ form: 'path', description: 'Socket of the forwarder, needed for a key in AWS KMS.' }),
  SIGNER_KMS_CREDENTIALS_FILE: z.string().optional().meta({
    form: 'path of a file of mode 0400 or 0600',
    secretFile: true,
    description: 'Access key of the account that may use the key in AWS KMS.',
  }),
  SIGNER_KMS_ENDPOINT: HttpUrl.optional().describe(
    "Address in place of the region's public address, such as the address of a VPC endpoint; production needs https.",
  ),
  SIGNER_KMS_CA_FILE: z.string().optional().meta({
    form: 'path of a PEM file',
    description: 'Certificate authority of `SIGNER_KMS_ENDPOINT`, if the authority is not public.',
  }),
  NODE_ENV: NodeEnv,
};
type Values = z.output<z.ZodObject<typeof KekEnv>>;

export type KmsPlace = {
  readonly socketPath: string;
  readonly credentialsFile: string;
  readonly endpoint?: string;
  readonly caPem?: Buffer;
};
export type KekConfig = { readonly active: KekSource; readonly old: readonly KekSource[]; readonly kms?: KmsPlace };

type Fault = { readonly path: string; readonly fault: string };
const isFault = (source: KekSource | KekFault): source is KekFault => 'fault' in source;

/** Each fault has the name of its variable. The caller wipes the key buffers. */
export function kekConfigOf(values: Values, env: Readonly<Record<string, string | undefined>>): KekConfig | readonly Fault[] {
  const { SIGNER_KEK_FILE: file, SIGNER_KEK_SOURCE: source, SIGNER_KEK_OLD_SOURCES: others, NODE_ENV } = values;
  if ((file === undefined) === (source === undefined)) {
    return [
      {
        path: 'SIGNER_KEK_FILE',
        fault:
          file === undefined
            ? 'is not set, nor is SIGNER_KEK_SOURCE'
            : 'and SIGNER_KEK_SOURCE are both set: set only one of them',
      },
    ];
  }
  const read = (text: string) => readKekSource(text, env, NODE_ENV === 'production');
  const active = read(source ?? `file:${file}`);
  const old = others
    .split(',')
    .filter((text) => text.trim() !== '')
    .map((text) => read(text.trim()));
  const faults = [
    ...(isFault(active) ? [{ path: source === undefined ? 'SIGNER_KEK_FILE' : 'SIGNER_KEK_SOURCE', fault: active.fault }] : []),
    ...old.filter(isFault).map(({ fault }) => ({ path: 'SIGNER_KEK_OLD_SOURCES', fault })),
  ];
  const usable = [active, ...old].filter((one): one is KekSource => !isFault(one));
  const kms = usable.some(({ kind }) => kind === 'aws-kms') ? kmsOf(values) : undefined;
  if (Array.isArray(kms)) faults.push(...kms);
  if (faults.length > 0 || isFault(active)) {
    for (const one of usable) if (one.kind === 'local') one.secret.fill(0);
    return faults;
  }
  const place = kms as KmsPlace | undefined;
  return { active, old: usable.slice(1), ...(place ? { kms: place } : {}) };
}

function kmsOf(values: Values): KmsPlace | Fault[] {
  const { SIGNER_KMS_SOCKET: socketPath, SIGNER_KMS_CREDENTIALS_FILE: credentialsFile, NODE_ENV } = values;
  const { SIGNER_KMS_ENDPOINT: endpoint, SIGNER_KMS_CA_FILE: caFile } = values;
  const ca = caFile === undefined ? undefined : readCertificate(caFile);
  const faults = [
    ...(socketPath ? [] : [{ path: 'SIGNER_KMS_SOCKET', fault: 'is needed with aws-kms: the socket of the forwarder' }]),
    ...(credentialsFile ? [] : [{ path: 'SIGNER_KMS_CREDENTIALS_FILE', fault: 'is needed with aws-kms' }]),
    ...(endpoint?.startsWith('http:') && NODE_ENV === 'production'
      ? [{ path: 'SIGNER_KMS_ENDPOINT', fault: 'must be https in production: it returns plain data keys' }]
      : []),
    ...(ca && 'fault' in ca ? [{ path: 'SIGNER_KMS_CA_FILE', fault: ca.fault }] : []),
  ];
  if (faults.length > 0 || !socketPath || !credentialsFile) return faults;
  const text = readPrivateFile(credentialsFile);
  if (!Buffer.isBuffer(text)) return [{ path: 'SIGNER_KMS_CREDENTIALS_FILE', fault: text.fault }];
  text.fill(0);
  return { socketPath, credentialsFile, ...(endpoint ? { endpoint } : {}), ...(Buffer.isBuffer(ca) ? { caPem: ca } : {}) };
}

/** A certificate is public, so its file mode does not matter. */
function readCertificate(path: string): Buffer | KekFault {
  try {
    return readFileSync(path);
  } catch (error) {
    return { fault: `${path} cannot be read (${errorCode(error) ?? 'unknown fault'})` };
  }
}
