import { z } from 'zod';
import { Curve, Protocol, Scheme } from '../application/bodies/key-members';
import { KEY_SHARE_SUITE } from '../domain/key-stores';
import { changeRequestSchema } from './http/change-requests';

const PATH_CHARS_MAX = 128;

const RecordId = z.string().min(1).max(64);

/** A key to derive from; the path defaults to the next free one. */
export const DeriveFrom = z.strictObject({ keyId: RecordId, path: z.string().max(PATH_CHARS_MAX).optional() });
export const StoreId = z.string().min(1).max(64);

const Unused = z.unknown().optional().meta({ deprecated: true, description: 'Accepted and without effect' });
/** Members of an older interface that no longer have an effect. */
export const UNUSED_MEMBERS = { groupSize: Unused, groupThreshold: Unused } as const;

export const KeyExport = z
  .object({
    publicKey: z.string(),
    protocol: Protocol,
    curve: Curve,
    scheme: Scheme,
    minSigners: z.number(),
    encryptedKeyShares: z.array(z.object({ signerId: z.string(), encryptedKeyShare: z.string() })),
    suite: z.literal(KEY_SHARE_SUITE).meta({ description: 'HPKE of RFC 9180 in base mode; see docs/key-shares.md' }),
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
    keyId: z.string().describe('The ID that the key will have'),
    curve: Curve,
    scheme: Scheme,
    signerId: z.string(),
    masterKey: z.boolean(),
    name: z.string().exactOptional(),
    network: z.string().exactOptional().describe('The network of the wallet that is created with the key'),
  }),
);

export const KeyDelegationChangeRequest = changeRequestSchema(
  'KeyDelegation',
  ['Update'],
  z.object({ ...keyFacts, delegateTo: z.string() }),
);

export const KeyParams = z.object({ keyId: z.string().min(1).max(64) });
