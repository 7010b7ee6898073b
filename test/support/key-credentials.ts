import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export type KeyKind = 'Key' | 'PasswordProtectedKey' | 'RecoveryKey';
type Keys = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

/** Changes that a test makes to the message of a published client. */
export type KeyBend = {
  /** Members that replace those of the client data. */
  readonly clientData?: Readonly<Record<string, unknown>>;
  /** The text of the public key. The signature covers this text unchanged. */
  readonly publicKey?: string;
  /** The key that signs instead of the credential's own key. */
  readonly privateKey?: KeyObject;
  readonly algorithm?: string;
  /** The digest of the signature instead of the default. */
  readonly digest?: 'sha512';
};

export type KeyCredential = {
  readonly kind: KeyKind;
  readonly credId: string;
  readonly publicKeyPem: string;
  readonly encryptedPrivateKey: string;
  /** The body that registers the credential over a challenge, with its kind and a name. */
  readonly attest: (challenge: string, bend?: KeyBend) => Record<string, unknown>;
  /** The factor that answers a challenge. The factor of a recovery key goes into `recovery`. */
  readonly assert: (challenge: string, bend?: KeyBend) => Record<string, unknown>;
};

const ORIGIN = 'http://localhost:3000';

/** A raw key, and the messages with which published clients register the key and sign with it. */
export function createKeyCredential(kind: KeyKind = 'Key', keys: Keys = generateKeyPairSync('ed25519')): KeyCredential {
  const credId = randomBytes(16).toString('base64url');
  const publicKeyPem = keys.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const encryptedPrivateKey = randomBytes(48).toString('base64');
  const signed = (data: Buffer, { privateKey = keys.privateKey, digest = undefined }: KeyBend) =>
    sign(privateKey.asymmetricKeyType === 'ed25519' ? null : (digest ?? 'sha256'), data, privateKey);

  return {
    kind,
    credId,
    publicKeyPem,
    encryptedPrivateKey,
    attest: (challenge, bend = {}) => {
      const { publicKey = publicKeyPem, algorithm } = bend;
      const clientData = Buffer.from(
        JSON.stringify({ challenge, crossOrigin: false, origin: ORIGIN, type: 'key.create', ...bend.clientData }),
      );
      const clientDataHash = createHash('sha256').update(clientData).digest('hex');
      const signature = signed(Buffer.from(JSON.stringify({ clientDataHash, publicKey })), bend).toString('hex');
      const attestation = { publicKey, signature, ...(algorithm === undefined ? {} : { algorithm }) };
      return {
        credentialKind: kind,
        credentialName: `My ${kind}`,
        credentialInfo: {
          credId,
          clientData: clientData.toString('base64url'),
          attestationData: Buffer.from(JSON.stringify(attestation)).toString('base64url'),
        },
        ...(kind === 'Key' ? {} : { encryptedPrivateKey }),
      };
    },
    assert: (challenge, bend = {}) => {
      const data = Buffer.from(JSON.stringify({ type: 'key.get', challenge, ...bend.clientData }));
      const credentialAssertion = {
        credId,
        clientData: data.toString('base64url'),
        signature: signed(data, bend).toString('base64url'),
        ...(bend.algorithm === undefined ? {} : { algorithm: bend.algorithm }),
      };
      return { kind, credentialAssertion };
    },
  };
}
