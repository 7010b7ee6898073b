import { z } from 'zod';

/** `folder` contains `ca.pem`, `certificate.pem` and `key.pem`. The certificate of the peer must be for one of `names`. */
export type TlsIdentity = { readonly folder: string; readonly names: readonly string[] };
export type TcpPlace = { readonly host: string; readonly port: number; readonly tls: TlsIdentity };
/** A unix socket, or TCP with TLS 1.3 and certificates on both sides. */
export type SignerPlace = { readonly path: string } | TcpPlace;

/** The kernel truncates a longer path without an error, and then no client can connect. */
const SOCKET_PATH_BYTES_MAX = 100;
const TLS_ADDRESS = /^tls:\/\/(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/;
const UNIX_ADDRESS = /^unix:(\/.+)$/;

export const SocketPath = z
  .string()
  .refine((path) => Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX, `must be at most ${SOCKET_PATH_BYTES_MAX} bytes long`)
  .meta({ form: `path of at most ${SOCKET_PATH_BYTES_MAX} bytes` });

export const SignerStateDir = z.string().min(1).meta({ form: 'path', description: "Folder of the signer's journal." });

/** Unencrypted TCP cannot be configured. */
export const SignerAddress = z
  .string()
  .transform((text, context) => {
    const [, path] = UNIX_ADDRESS.exec(text) ?? [];
    if (path !== undefined && SocketPath.safeParse(path).success) return { path };
    const [, six, name, digits] = TLS_ADDRESS.exec(text) ?? [];
    const host = six ?? name;
    const port = Number(digits);
    if (host !== undefined && port <= 65_535) return { host, port };
    context.addIssue({
      code: 'custom',
      message: `must be unix:/path (at most ${SOCKET_PATH_BYTES_MAX} bytes) or tls://host:port`,
    });
    return z.NEVER;
  })
  .meta({ form: '`unix:/path` or `tls://host:port`' });

export const SignerTlsEnv = {
  SIGNER_TLS_DIR: z.string().min(1).optional().meta({
    form: 'path',
    description:
      'Folder of `ca.pem`, `certificate.pem` and `key.pem`, which `tls://` needs ([operations.md](operations.md#a-signer-on-a-machine-of-its-own)).',
  }),
  SIGNER_TLS_NAMES: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(
      z.array(z.string().regex(/^[A-Za-z0-9.:-]+$/, 'must be names or addresses separated by commas, without wildcards')).min(1),
    )
    .optional()
    .meta({
      form: 'names, separated by commas',
      description: 'Accepted names of the other side; its certificate must have at least one of them.',
    }),
};

type Given = {
  readonly SIGNER_SOCKET?: string | undefined;
  readonly address?: z.output<typeof SignerAddress> | undefined;
  readonly SIGNER_TLS_DIR?: string | undefined;
  readonly SIGNER_TLS_NAMES?: readonly string[] | undefined;
};

/** Undefined if the variables name no address, two addresses, or a TCP address without the folder and the names of TLS. */
export function signerPlaceOf({ SIGNER_SOCKET, address, SIGNER_TLS_DIR, SIGNER_TLS_NAMES }: Given): SignerPlace | undefined {
  if ((SIGNER_SOCKET === undefined) === (address === undefined)) return undefined;
  const usesTls = address !== undefined && 'host' in address;
  if (!usesTls) return { path: SIGNER_SOCKET ?? (address && 'path' in address ? address.path : '') };
  if (SIGNER_TLS_DIR === undefined || SIGNER_TLS_NAMES === undefined) return undefined;
  return { ...address, tls: { folder: SIGNER_TLS_DIR, names: SIGNER_TLS_NAMES } };
}

export const SIGNER_PLACE_FAULT =
  'is required, or the address in its place; tls://… also needs SIGNER_TLS_DIR and SIGNER_TLS_NAMES';
