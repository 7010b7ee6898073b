import { z } from 'zod';
import { PageQuery } from '../http/pagination';
import { DeriveFrom, KeyName, KeyShareMembers, StoreId, UNUSED_MEMBERS } from '../key-schemas';
import { Curve, Scheme, WalletNetwork } from '../wallet-schemas';

export const KeyParams = z.object({ keyId: z.string().min(1).max(64) });

const DOMAIN_BYTES_MAX = 255;
const SEED_BYTES_MAX = 4_096;

const RecordId = z.string().min(1).max(64);
const IsoDate = z.string().meta({ format: 'date-time' });

export const CreateKeyBody = z
  .strictObject({
    scheme: Scheme,
    curve: Curve,
    name: KeyName.optional(),
    masterKey: z.boolean().optional(),
    deriveFrom: DeriveFrom.optional(),
    storeId: StoreId.optional(),
    delegateTo: RecordId.optional(),
    delayDelegation: z.boolean().optional(),
    ...UNUSED_MEMBERS,
  })
  .meta({ id: 'CreateKeyBody' });

export const UpdateKeyBody = z.strictObject({ name: KeyName.nullable() });
export const DelegateKeyBody = z.strictObject({ delegateTo: RecordId });

const hex = (bytesMax: number) =>
  z
    .string()
    .max(2 + 2 * bytesMax)
    .regex(/^(0x)?([0-9a-fA-F][0-9a-fA-F])*$/, 'must be hex, two digits a byte');

export const DeriveKeyBody = z.strictObject({
  domain: hex(DOMAIN_BYTES_MAX)
    .refine((text) => text !== '' && text !== '0x' && text.replace(/^0x/, '').length <= 2 * DOMAIN_BYTES_MAX, {
      error: `must have 1 to ${DOMAIN_BYTES_MAX} bytes (RFC 9380, section 3.1)`,
    })
    .meta({ description: 'The domain separation tag' }),
  seed: hex(SEED_BYTES_MAX).refine((text) => text.replace(/^0x/, '').length <= 2 * SEED_BYTES_MAX, {
    error: `must have at most ${SEED_BYTES_MAX} bytes`,
  }),
});

export const Key = z
  .object({
    id: z.string(),
    scheme: Scheme,
    curve: Curve,
    publicKey: z.string(),
    masterKey: z.boolean().optional(),
    derivedFrom: z.object({ keyId: z.string(), path: z.string() }).optional(),
    name: z.string().optional(),
    status: z.enum(['Active', 'Archived']),
    custodial: z.boolean(),
    dateCreated: IsoDate,
    imported: z.boolean().optional(),
    exported: z.boolean().optional(),
    dateExported: IsoDate.optional(),
    dateDeleted: IsoDate.optional(),
  })
  .meta({ id: 'Key' });

export const KeyDetails = Key.extend({
  wallets: z.array(z.object({ id: z.string(), network: WalletNetwork })),
  store: z.object({
    id: z.string(),
    kind: z.literal('Software'),
    keyId: z.string(),
    derivationPath: z.string().optional(),
  }),
}).meta({ id: 'KeyDetails' });

export const KeyPage = z.object({ items: z.array(Key), nextPageToken: z.string().optional() });
export const ListKeysQuery = PageQuery.extend({
  owner: z.string().min(1).max(256).optional().meta({ description: 'Id or username of the user to whom the key is delegated' }),
});

export const ImportKeyBody = z
  .strictObject({ ...KeyShareMembers, masterKey: z.boolean().optional() })
  .meta({ id: 'ImportKeyBody' });

export const KeyStores = z.object({
  items: z.array(z.object({ id: z.string(), kind: z.literal('Software'), name: z.string().optional(), primary: z.boolean() })),
});

export const SignerClusters = z.object({
  clusters: z.array(
    z.object({ clusterId: z.string(), signers: z.array(z.object({ signerId: z.string(), encryptionKey: z.string() })) }),
  ),
});
