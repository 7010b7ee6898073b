import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** The relying party and the origin of the local sign-in page. A test replaces them with a `Bend`. */
const RP_ID = 'localhost';
const ORIGIN = 'http://localhost:3000';

const FLAGS = { userPresent: 0x01, userVerified: 0x04, attested: 0x40 } as const;
const AAGUID = Buffer.alloc(16);

export type PasskeyAlgorithm = 'ES256' | 'EdDSA' | 'RS256';

/** Changes that a test makes to the answer of an honest browser and authenticator. */
export type Bend = {
  /** Members that replace those of the client data. */
  readonly clientData?: Readonly<Record<string, unknown>>;
  readonly rpId?: string;
  /** The flags of the authenticator data: 0x01 user present, 0x04 user verified. */
  readonly flags?: number;
  readonly counter?: number;
  readonly credId?: string;
  /** The key that signs instead of the passkey. */
  readonly privateKey?: KeyObject;
  /** Changes the authenticator data after the signature. */
  readonly after?: (authenticatorData: Buffer) => Buffer;
  /** With `packed`, the passkey itself signs the attestation (WebAuthn §8.2). The default is `none`. */
  readonly statement?: 'none' | 'packed';
  /** The identifier of the algorithm in the key and in the statement (RFC 9053). */
  readonly algorithmId?: number;
};

type Attestation = { readonly credId: string; readonly clientData: string; readonly attestationData: string };
type Assertion = {
  readonly credId: string;
  readonly clientData: string;
  readonly signature: string;
  readonly authenticatorData: string;
  readonly userHandle: string;
};

export type Authenticator = {
  readonly credId: string;
  readonly privateKey: KeyObject;
  /** Registers the passkey. The client data holds `challenge` unchanged. */
  readonly attest: (challenge: string, bend?: Bend) => Attestation;
  /** Signs a challenge. Each call increments the counter unless the `Bend` sets the counter. */
  readonly assert: (challenge: string, bend?: Bend) => Assertion;
};

const ALGORITHMS = {
  ES256: { id: -7, makeKeys: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }) },
  EdDSA: { id: -8, makeKeys: () => generateKeyPairSync('ed25519') },
  RS256: { id: -257, makeKeys: () => generateKeyPairSync('rsa', { modulusLength: 2048 }) },
} as const;

/** Creates a passkey in software, with a browser that sends whatever the test orders. */
export function createAuthenticator(algorithm: PasskeyAlgorithm = 'ES256', userHandle = ''): Authenticator {
  const { id, makeKeys } = ALGORITHMS[algorithm];
  const { publicKey, privateKey } = makeKeys();
  const ownId = randomBytes(20).toString('base64url');
  let counted = 0;

  const clientDataOf = (type: string, challenge: string, bent: Bend['clientData']) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: ORIGIN, crossOrigin: false, ...bent }), 'utf8');
  const signed = (data: Buffer, clientData: Buffer, key: KeyObject) => {
    const message = Buffer.concat([data, sha256(clientData)]);
    return sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', message, key);
  };
  const header = ({ rpId = RP_ID, flags = FLAGS.userPresent | FLAGS.userVerified }: Bend, counter: number, more: number) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags | more]), count]);
  };

  return {
    credId: ownId,
    privateKey,
    attest: (challenge, bend = {}) => {
      const { credId = ownId, statement = 'none', algorithmId = id } = bend;
      const clientData = clientDataOf('webauthn.create', challenge, bend.clientData);
      const rawId = Buffer.from(credId, 'base64url');
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      const data = Buffer.concat([
        header(bend, bend.counter ?? 0, FLAGS.attested),
        AAGUID,
        length,
        rawId,
        coseKey(publicKey, algorithmId),
      ]);
      const proof = new Map<string, Cbor>([
        ['alg', algorithmId],
        ['sig', signed(data, clientData, bend.privateKey ?? privateKey)],
      ]);
      const attestation = new Map<string, Cbor>([
        ['fmt', statement],
        ['attStmt', statement === 'packed' ? proof : new Map()],
        ['authData', bend.after?.(data) ?? data],
      ]);
      return { credId, clientData: base64url(clientData), attestationData: base64url(cbor(attestation)) };
    },
    assert: (challenge, bend = {}) => {
      counted = bend.counter ?? counted + 1;
      const clientData = clientDataOf('webauthn.get', challenge, bend.clientData);
      const data = header(bend, counted, 0);
      const signature = signed(data, clientData, bend.privateKey ?? privateKey);
      return {
        credId: bend.credId ?? ownId,
        clientData: base64url(clientData),
        signature: base64url(signature),
        authenticatorData: base64url(bend.after?.(data) ?? data),
        userHandle,
      };
    },
  };
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Buffer): string => bytes.toString('base64url');

/** The public key as a COSE key (RFC 9053 §7). */
function coseKey(key: KeyObject, algorithmId: number): Buffer {
  const jwk = key.export({ format: 'jwk' });
  const part = (text: string | undefined) => Buffer.from(text ?? '', 'base64url');
  const members = {
    EC: [
      [1, 2],
      [3, algorithmId],
      [-1, 1],
      [-2, part(jwk.x)],
      [-3, part(jwk.y)],
    ],
    OKP: [
      [1, 1],
      [3, algorithmId],
      [-1, 6],
      [-2, part(jwk.x)],
    ],
    RSA: [
      [1, 3],
      [3, algorithmId],
      [-1, part(jwk.n)],
      [-2, part(jwk.e)],
    ],
  } as const;
  return cbor(new Map<number, Cbor>(members[jwk.kty as keyof typeof members]));
}

type Cbor = number | string | Buffer | ReadonlyMap<string | number, Cbor>;

/** Encodes the few CBOR types that attestations need (RFC 8949 §3.1). */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  const entries = value as ReadonlyMap<string | number, Cbor>;
  return Buffer.concat([cborHead(5, entries.size), ...[...entries].flatMap(([key, member]) => [cbor(key), cbor(member)])]);
}

function cborHead(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument]);
  if (argument < 256) return Buffer.from([(major << 5) | 24, argument]);
  return Buffer.from([(major << 5) | 25, argument >> 8, argument & 0xff]);
}
