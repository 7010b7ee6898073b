import { z } from 'zod';
import { Curve, KeyName, Scheme, WalletNetwork } from '../../application/bodies/key-members';
import { IsoDate } from '../http/iso-date';
import { PageQuery } from '../http/pagination';
import { DeriveFrom, StoreId, UNUSED_MEMBERS } from '../key-schemas';

const RecordId = z.string().min(1).max(64);

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
  owner: z.string().min(1).max(256).optional().meta({ description: 'ID or username of the user to whom the key is delegated' }),
});

export const KeyStores = z.object({
  items: z.array(z.object({ id: z.string(), kind: z.literal('Software'), name: z.string().optional(), primary: z.boolean() })),
});

export const SignerClusters = z.object({
  clusters: z.array(
    z.object({ clusterId: z.string(), signers: z.array(z.object({ signerId: z.string(), encryptionKey: z.string() })) }),
  ),
});
