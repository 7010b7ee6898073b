import { z } from 'zod';
import { Curve, Protocol, Scheme } from '../application/bodies/key-members';
import { KEY_SHARE_SUITE } from '../domain/key-stores';
import { changeRequestSchema } from './http/change-requests';

const PATH_CHARS_MAX = 128;

const RecordId = z.string().min(1).max(64);

/** Without a path, the key gets the next free path. */
export const DeriveFrom = z
  .strictObject({
    keyId: RecordId.describe('ID of a master key with the scheme and the curve of the new key'),
    path: z
      .string()
      .max(PATH_CHARS_MAX)
      .optional()
      .describe(
        "A BIP32 path of one to ten levels, such as `m/44'/60'/0'/0/0`: each index is below 2^31 and has no leading zero, and on " +
          "ed25519 every level is hardened. By default the next free `m/<n>'`",
      ),
  })
  .meta({ id: 'DerivationSource' });
export const StoreId = z
  .string()
  .min(1)
  .max(64)
  .describe('ID of the key store that keeps the secret (`listKeyStores`); by default the primary one');

export const PublicKeyHex = z
  .string()
  .describe(
    'Hexadecimal digits without 0x: 33 bytes in compressed SEC1 for ECDSA and DH on secp256k1, 32 bytes for EdDSA, Schnorr (x-only) ' +
      'and stark',
  );
export const Custodial = z.boolean().describe('False for a key that is delegated to an end user');

const Unused = z.unknown().optional().meta({ deprecated: true, description: 'Accepted, but has no effect' });
/** Members of an older interface, without effect. */
export const UNUSED_MEMBERS = { groupSize: Unused, groupThreshold: Unused } as const;

export const KeyExport = z
  .object({
    publicKey: PublicKeyHex,
    protocol: Protocol.describe('Always `Software`: the store holds whole keys'),
    curve: Curve,
    scheme: Scheme,
    minSigners: z.number().describe('Number of shares that make up the secret: always 1'),
    encryptedKeyShares: z
      .array(
        z.object({
          signerId: z.string(),
          encryptedKeyShare: z
            .string()
            .describe('80 bytes in padded base64: 32 bytes of the encapsulated key, then 48 bytes of ciphertext with its tag'),
        }),
      )
      .describe('One share: the whole secret, encrypted to `encryptionKey`'),
    suite: z.literal(KEY_SHARE_SUITE).meta({ description: 'HPKE of RFC 9180 in base mode; see docs/key-shares.md' }),
  })
  .meta({ id: 'KeyExport' });

const keyFacts = { keyId: z.string(), publicKey: PublicKeyHex, curve: Curve, scheme: Scheme };

export const KeyExportChangeRequest = changeRequestSchema(
  'KeyExport',
  ['Create'],
  z.object({
    ...keyFacts,
    encryptionKey: z.string().describe('The X25519 public key of the recipient, 32 bytes in base64'),
    supportedSchemes: z
      .array(z.object({ protocol: z.string(), curve: Curve }))
      .describe('The protocols and curves that the recipient accepts'),
  }),
);

export const KeyImportChangeRequest = changeRequestSchema(
  'KeyImport',
  ['Create'],
  z.object({
    keyId: z.string().describe('The ID that the key will get'),
    curve: Curve,
    scheme: Scheme,
    signerId: z.string().describe('The signer to which the share is encrypted'),
    masterKey: z.boolean().describe('Whether keys may be derived from this key'),
    name: z.string().exactOptional(),
    network: z.string().exactOptional().describe('The network of the wallet that is created with the key'),
  }),
);

export const KeyDelegationChangeRequest = changeRequestSchema(
  'KeyDelegation',
  ['Update'],
  z.object({ ...keyFacts, delegateTo: z.string().describe('ID of the end user') }),
);

export const KeyParams = z.object({ keyId: z.string().min(1).max(64).describe('ID of the key') });
