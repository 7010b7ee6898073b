import { z } from 'zod';
import { KEY_SHARE_SUITE } from '../domain/key-stores';
import { changeRequestSchema } from './http/change-requests';
import { Curve, Scheme } from './wallet-schemas';

const NAME_CHARS_MAX = 100;
const PATH_CHARS_MAX = 128;
const SIGNERS_NAMED_MAX = 32;

export const KeyName = z.string().max(NAME_CHARS_MAX);
const RecordId = z.string().min(1).max(64);

/** A key to derive from; the path is the next free one where it is left out. */
export const DeriveFrom = z.strictObject({ keyId: RecordId, path: z.string().max(PATH_CHARS_MAX).optional() });
export const StoreId = z.string().min(1).max(64);

const Unused = z.unknown().optional().meta({ deprecated: true, description: 'Accepted and without effect' });
/** Members of an older interface, on which nothing depends any more. */
export const UNUSED_MEMBERS = { groupSize: Unused, groupThreshold: Unused } as const;

/** The published protocols stand here so that whoever names one is told why not. */
const Protocol = z.enum(['CGGMP24', 'FROST', 'FROST_BITCOIN', 'GLOW20_DH', 'KU23', 'CGGMP21', 'Software']);

const SHARE_CHARS_MAX = 1_024;

export const KeyShareMembers = {
  name: KeyName.optional(),
  curve: Curve,
  scheme: Scheme.optional().meta({ description: 'Where the curve has several: ECDSA, DH or Schnorr on secp256k1' }),
  protocol: Protocol,
  minSigners: z.int().positive(),
  encryptedKeyShares: z
    .array(z.strictObject({ signerId: z.string().min(1).max(64), encryptedKeyShare: z.string().min(1).max(SHARE_CHARS_MAX) }))
    .min(1)
    .max(SIGNERS_NAMED_MAX),
} as const;

export const KeyExportBody = z
  .strictObject({
    encryptionKey: z.string().min(1).max(SHARE_CHARS_MAX).meta({ description: 'An X25519 public key in base64' }),
    supportedSchemes: z.array(z.strictObject({ protocol: Protocol, curve: Curve })).max(SIGNERS_NAMED_MAX),
  })
  .meta({ id: 'KeyExportBody' });

export const KeyExport = z
  .object({
    publicKey: z.string(),
    protocol: Protocol,
    curve: Curve,
    scheme: Scheme,
    minSigners: z.number(),
    encryptedKeyShares: z.array(z.object({ signerId: z.string(), encryptedKeyShare: z.string() })),
    suite: z.literal(KEY_SHARE_SUITE).meta({ description: 'HPKE of RFC 9180 in base mode; docs/key-shares.md says the rest' }),
  })
  .meta({ id: 'KeyExport' });

const keyFacts = { keyId: z.string(), publicKey: z.string(), curve: Curve, scheme: Scheme };

export const KeyExportChangeRequest = changeRequestSchema(
  'KeyExport',
  ['Create'],
  z.object({
    ...keyFacts,
    encryptionKey: z.string(),
    supportedSchemes: z.array(z.object({ protocol: z.string(), curve: Curve })),
  }),
);

export const KeyImportChangeRequest = changeRequestSchema(
  'KeyImport',
  ['Create'],
  z.object({
    keyId: z.string().describe('The id that the key will have'),
    curve: Curve,
    scheme: Scheme,
    signerId: z.string(),
    masterKey: z.boolean(),
    name: z.string().exactOptional(),
    network: z.string().exactOptional().describe('Of the wallet that is made with the key'),
  }),
);

export const KeyDelegationChangeRequest = changeRequestSchema(
  'KeyDelegation',
  ['Update'],
  z.object({ ...keyFacts, delegateTo: z.string() }),
);
