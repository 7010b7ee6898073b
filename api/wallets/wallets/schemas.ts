import { z } from 'zod';
import { WALLET_TAGS_MAX } from '../../../application/wallet-tags';
import { PageQuery } from '../../http/pagination';
import { DeriveFrom, KeyShareMembers, StoreId, UNUSED_MEMBERS } from '../../key-schemas';
import { Curve, Scheme, Wallet, WalletName, WalletNetwork } from '../../wallet-schemas';

export const WalletParams = z.object({ walletId: z.string().min(1).max(64) });

const EXTERNAL_ID_CHARS_MAX = 100;

/** Empty is refused: a client that forgot to fill it in must not meet an earlier wallet of another that did the same. */
const ExternalId = z.string().min(1).max(EXTERNAL_ID_CHARS_MAX);

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
    externalId: ExternalId.optional(),
    tags: z.array(Tag).max(WALLET_TAGS_MAX).optional(),
    ...UNUSED_MEMBERS,
  })
  .meta({ id: 'CreateWalletBody' });

export const ImportWalletBody = z
  .strictObject({ ...KeyShareMembers, name: WalletName.optional(), network: WalletNetwork, externalId: ExternalId.optional() })
  .meta({ id: 'ImportWalletBody' });

export const DelegateWalletBody = z.strictObject({ userId: z.string().min(1).max(64) });

export const UpdateWalletBody = z
  .strictObject({ name: WalletName.nullable().optional(), externalId: ExternalId.nullable().optional() })
  .meta({ id: 'UpdateWalletBody' });

export const TagWalletBody = z.strictObject({ tags: z.array(Tag).min(1).max(WALLET_TAGS_MAX) });
export const UntagWalletBody = z.strictObject({ tags: z.array(Tag).max(WALLET_TAGS_MAX) });

const Owner = z.string().min(1).max(256).optional();

export const ListWalletsQuery = PageQuery.extend({
  owner: Owner.meta({ description: 'Id or username of the user to whom the key is delegated' }),
  ownerId: Owner.meta({ deprecated: true }),
  ownerUsername: Owner.meta({ deprecated: true }),
  network: WalletNetwork.optional(),
  externalId: ExternalId.optional(),
  status: z.enum(['Active', 'Inactive', 'Archived']).optional(),
  tags: z
    .union([z.string(), z.array(z.string())])
    .transform((tags) => [tags].flat().flatMap((text) => text.split(',')))
    .pipe(z.array(Tag).min(1).max(WALLET_TAGS_MAX))
    .optional()
    .meta({ description: 'Tags that the wallet must all have: repeated, or separated by commas' }),
});

export const WalletPage = z.object({ items: z.array(Wallet), nextPageToken: z.string().optional() });

const balance = {
  symbol: z.string().optional(),
  decimals: z.number().int(),
  verified: z.boolean().optional(),
  balance: z.string().meta({ description: 'Whole number of smallest units' }),
};

export const WalletAssets = z
  .object({
    walletId: z.string(),
    network: WalletNetwork,
    assets: z.array(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('Native'), ...balance }),
        z.object({ kind: z.literal('Erc20'), contract: z.string(), ...balance }),
        z.object({ kind: z.enum(['Spl', 'Spl2022']), mint: z.string(), ...balance }),
      ]),
    ),
  })
  .meta({ id: 'WalletAssets' });
