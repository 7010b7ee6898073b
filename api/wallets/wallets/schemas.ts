import { z } from 'zod';
import {
  Curve,
  MetadataKey,
  MetadataValue,
  Scheme,
  WalletExternalId,
  WalletMetadata,
  WalletName,
  WalletNetwork,
} from '../../../application/bodies/key-members';
import { WALLET_TAGS_MAX } from '../../../application/wallets/tags';
import { assetMembers } from '../../asset-schemas';
import { NextPageToken, PageQuery } from '../../http/pagination';
import { DeriveFrom, StoreId, UNUSED_MEMBERS } from '../../key-schemas';
import { Wallet } from '../../wallet-schemas';

const Tag = z.string().regex(/^[a-zA-Z0-9_.:/+-]{1,100}$/, 'must be 1 to 100 letters, digits or _ . : / + -');
const KeyId = z.string().regex(/^key-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/, 'must be the id of a key');
const UserId = z.string().regex(/^us-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/, 'must be the id of a user');

export const CreateWalletBody = z
  .strictObject({
    network: WalletNetwork.describe('A network with a node here (`listNetworks`), or a network whose wallets only sign'),
    name: WalletName.optional(),
    signingKey: z
      .strictObject({
        id: KeyId.optional().describe('An existing key without a wallet on this network; excludes the members of a new key'),
        scheme: Scheme.optional().describe(
          'Must be a scheme that the network accepts; by default the usual scheme of the network',
        ),
        curve: Curve.optional().describe('Must be the curve of the network'),
        storeId: StoreId.optional(),
        deriveFrom: DeriveFrom.optional().describe('Derives the new key from a master key'),
      })
      .optional()
      .describe('The key of the wallet; by default a new one'),
    delegateTo: UserId.optional().describe('ID of the end user to whom the new key belongs from its creation'),
    delayDelegation: z
      .boolean()
      .default(false)
      .describe('Allows `delegateKey` for the new key later; not together with `delegateTo`'),
    externalId: WalletExternalId.optional().describe('Makes the call idempotent; unique among the wallets of the organisation'),
    tags: z.array(Tag).max(WALLET_TAGS_MAX).optional().describe('Repeated tags are ignored'),
    metadata: WalletMetadata.optional(),
    ...UNUSED_MEMBERS,
  })
  .meta({ id: 'CreateWalletBody' });

export const DelegateWalletBody = z.strictObject({ userId: z.string().min(1).max(64).describe('ID of the end user') });

export const UpdateWalletBody = z
  .strictObject({
    name: WalletName.nullable().optional().describe('Null removes the name'),
    externalId: WalletExternalId.nullable()
      .optional()
      .describe('Null removes the external ID; unique among the wallets of the organisation'),
    metadata: WalletMetadata.nullable().optional().describe('Replaces all members; null removes them'),
  })
  .meta({ id: 'UpdateWalletBody' });

export const TagWalletBody = z.strictObject({
  tags: z.array(Tag).min(1).max(WALLET_TAGS_MAX).describe('A wallet has at most 10 tags, old and new together'),
});
export const UntagWalletBody = z.strictObject({
  tags: z.array(Tag).max(WALLET_TAGS_MAX).describe('Tags that the wallet lacks are ignored'),
});

const Owner = z.string().min(1).max(256).optional();

const METADATA_FILTERS_MAX = 10;

/** A key contains no colon, so the first colon ends the key. */
const MetadataMember = z.string().transform((text): [string, string] => {
  const colon = text.indexOf(':');
  return colon === -1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
});

export const ListWalletsQuery = PageQuery.extend({
  owner: Owner.meta({ description: 'ID or username of the user to whom the key is delegated' }),
  ownerId: Owner.meta({ deprecated: true, description: 'ID of the user to whom the key is delegated: use `owner`' }),
  ownerUsername: Owner.meta({ deprecated: true, description: 'Username of the user to whom the key is delegated: use `owner`' }),
  network: WalletNetwork.optional().describe('Only wallets on this network'),
  externalId: WalletExternalId.optional().describe('Only the wallet with this external ID'),
  status: z.enum(['Active', 'Inactive', 'Archived']).optional().describe('Only wallets with this status'),
  tags: z
    .union([z.string(), z.array(z.string())])
    .transform((tags) => [tags].flat().flatMap((text) => text.split(',')))
    .pipe(z.array(Tag).min(1).max(WALLET_TAGS_MAX))
    .optional()
    .meta({ description: 'The wallet must have all of these tags; repeat the parameter, or separate the tags by commas' }),
  assetSymbol: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('Only wallets that hold a verified asset with this symbol, such as `ETH`'),
  holdsTokens: z
    .literal('true')
    .transform((): true => true)
    .optional()
    .meta({ description: 'Only wallets that hold a verified asset: the native asset or a token' }),
  metadata: z
    .union([z.string(), z.array(z.string())])
    .transform((members) => [members].flat())
    .pipe(z.array(MetadataMember.pipe(z.tuple([MetadataKey, MetadataValue]))).max(METADATA_FILTERS_MAX))
    .optional()
    .meta({
      description: `Metadata that the wallet must have, as key:value, such as \`team:treasury\`; repeat the parameter up to ${METADATA_FILTERS_MAX} times to require several`,
    }),
});

export const WalletPage = z.object({ items: z.array(Wallet), nextPageToken: NextPageToken });

export const WalletAssets = z
  .object({
    walletId: z.string(),
    network: WalletNetwork,
    ...assetMembers,
  })
  .meta({
    id: 'WalletAssets',
    examples: [
      {
        walletId: 'wa-01kb9-2q4gn-8xv6t0c3h5m7r1ja',
        network: 'Ethereum',
        assets: [
          {
            kind: 'Native',
            symbol: 'ETH',
            decimals: 18,
            verified: true,
            balance: '1500000000000000000',
            quotes: { USD: 3000.25 },
          },
        ],
        netWorth: { USD: 4500.375 },
      },
    ],
  });
