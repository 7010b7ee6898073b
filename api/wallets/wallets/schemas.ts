import { z } from 'zod';
import { Curve, Scheme, WalletExternalId, WalletName, WalletNetwork } from '../../../application/bodies/key-members';
import { WALLET_TAGS_MAX } from '../../../application/wallets/tags';
import { PageQuery } from '../../http/pagination';
import { DeriveFrom, StoreId, UNUSED_MEMBERS } from '../../key-schemas';
import { Quotes } from '../../quote-schemas';
import { Wallet } from '../../wallet-schemas';

const Tag = z.string().regex(/^[a-zA-Z0-9_.:/+-]{1,100}$/, 'must be 1 to 100 letters, digits or _ . : / + -');
const KeyId = z.string().regex(/^key-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/, 'must be the id of a key');
const UserId = z.string().regex(/^us-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/, 'must be the id of a user');

export const CreateWalletBody = z
  .strictObject({
    network: WalletNetwork,
    name: WalletName.optional(),
    signingKey: z
      .strictObject({
        id: KeyId.optional(),
        scheme: Scheme.optional(),
        curve: Curve.optional(),
        storeId: StoreId.optional(),
        deriveFrom: DeriveFrom.optional(),
      })
      .optional(),
    delegateTo: UserId.optional(),
    delayDelegation: z.boolean().default(false),
    externalId: WalletExternalId.optional(),
    tags: z.array(Tag).max(WALLET_TAGS_MAX).optional(),
    ...UNUSED_MEMBERS,
  })
  .meta({ id: 'CreateWalletBody' });

export const DelegateWalletBody = z.strictObject({ userId: z.string().min(1).max(64) });

export const UpdateWalletBody = z
  .strictObject({ name: WalletName.nullable().optional(), externalId: WalletExternalId.nullable().optional() })
  .meta({ id: 'UpdateWalletBody' });

export const TagWalletBody = z.strictObject({ tags: z.array(Tag).min(1).max(WALLET_TAGS_MAX) });
export const UntagWalletBody = z.strictObject({ tags: z.array(Tag).max(WALLET_TAGS_MAX) });

const Owner = z.string().min(1).max(256).optional();

export const ListWalletsQuery = PageQuery.extend({
  owner: Owner.meta({ description: 'ID or username of the user to whom the key is delegated' }),
  ownerId: Owner.meta({ deprecated: true }),
  ownerUsername: Owner.meta({ deprecated: true }),
  network: WalletNetwork.optional(),
  externalId: WalletExternalId.optional(),
  status: z.enum(['Active', 'Inactive', 'Archived']).optional(),
  tags: z
    .union([z.string(), z.array(z.string())])
    .transform((tags) => [tags].flat().flatMap((text) => text.split(',')))
    .pipe(z.array(Tag).min(1).max(WALLET_TAGS_MAX))
    .optional()
    .meta({ description: 'Tags that the wallet must have, all of them: repeated or separated by commas' }),
});

export const WalletPage = z.object({ items: z.array(Wallet), nextPageToken: z.string().optional() });

const balance = {
  symbol: z.string().optional(),
  decimals: z.number().int(),
  verified: z.boolean().optional(),
  balance: z.string().meta({ description: 'Whole number of smallest units' }),
  quotes: Quotes.optional().meta({ description: 'Price of one whole asset. A currency without a known price is absent' }),
};
const unreadable = z.literal('Unknown').meta({ description: 'Only the network can read the balance, so there is no number' });

export const WalletAssets = z
  .object({
    walletId: z.string(),
    network: WalletNetwork,
    assets: z.array(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('Native'), ...balance }),
        z.object({ kind: z.literal('Erc20'), contract: z.string(), ...balance }),
        z.object({ kind: z.literal('Erc7984'), contract: z.string(), ...balance, balance: unreadable }),
        z.object({ kind: z.enum(['Spl', 'Spl2022']), mint: z.string(), ...balance }),
      ]),
    ),
    netWorth: Quotes.optional().meta({
      description:
        'Sum over all assets. A currency is absent if any asset lacks a price in it, because a partial sum would be mistaken for the whole',
    }),
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
