import { z } from 'zod';
import { Curve, KeyName, Scheme, WalletNetwork } from '../../application/bodies/key-members';
import { KEY_STORE_KINDS, KEY_STORE_STATES } from '../../domain/key-stores';
import { IsoDate } from '../http/iso-date';
import { NextPageToken, PageQuery } from '../http/pagination';
import { Custodial, DeriveFrom, PublicKeyHex, StoreId, UNUSED_MEMBERS } from '../key-schemas';

const StoreKind = z
  .enum(KEY_STORE_KINDS)
  .describe('`Software`: sealed by the signer, which uses the secret whole. `OfflineSigner`: on devices without a network');
const RecordId = z.string().min(1).max(64);

export const CreateKeyBody = z
  .strictObject({
    scheme: Scheme.describe('`ECDSA` on secp256k1 or stark, `Schnorr` and `DH` on secp256k1, `EdDSA` on ed25519'),
    curve: Curve,
    name: KeyName.optional(),
    masterKey: z
      .boolean()
      .optional()
      .describe(
        'Allows keys to be derived from this key; false by default. Not for `DH`, not on stark, and not together with `deriveFrom`',
      ),
    deriveFrom: DeriveFrom.optional().describe('Derives the key from a master key'),
    storeId: StoreId.optional(),
    delegateTo: RecordId.optional().describe('ID of the end user to whom the key belongs from its creation'),
    delayDelegation: z
      .boolean()
      .optional()
      .describe('Allows `delegateKey` later; false by default, and not together with `delegateTo`'),
    ...UNUSED_MEMBERS,
  })
  .meta({ id: 'CreateKeyBody' });

export const UpdateKeyBody = z.strictObject({ name: KeyName.nullable().describe('Null removes the name') });
export const DelegateKeyBody = z.strictObject({ delegateTo: RecordId.describe('ID of the end user') });

const KeyDerivation = z
  .object({
    keyId: z.string().describe('ID of the master key'),
    path: z.string().describe('BIP32 path from the master key'),
  })
  .meta({ id: 'KeyDerivation' });

export const Key = z
  .object({
    id: z.string(),
    scheme: Scheme,
    curve: Curve,
    publicKey: PublicKeyHex,
    masterKey: z.boolean().optional().describe('True if keys may be derived from this key; otherwise absent'),
    derivedFrom: KeyDerivation.optional().describe('Absent for a key that was not derived'),
    name: z.string().optional(),
    status: z.enum(['Active', 'Archived']).describe('`Archived` if the key was deleted'),
    custodial: Custodial,
    dateCreated: IsoDate,
    imported: z.boolean().optional().describe('True for an imported key; otherwise absent'),
    exported: z.boolean().optional().describe('True for a key that was exported and can no longer sign; otherwise absent'),
    dateExported: IsoDate.optional().describe('When the key was first exported'),
    dateDeleted: IsoDate.optional(),
  })
  .meta({ id: 'Key' });

export const KeyDetails = Key.extend({
  wallets: z.array(z.object({ id: z.string(), network: WalletNetwork })).describe('At most one on each network'),
  store: z
    .object({
      id: z.string(),
      kind: StoreKind,
      keyId: z.string().describe('The name of the key in the store'),
      derivationPath: z.string().optional().describe('For a derived key: its path from the master key'),
    })
    .describe('The store that keeps the secret'),
}).meta({ id: 'KeyDetails' });

export const KeyPage = z.object({ items: z.array(Key), nextPageToken: NextPageToken });
export const ListKeysQuery = PageQuery.extend({
  owner: z.string().min(1).max(256).optional().meta({ description: 'ID or username of the user to whom the key is delegated' }),
});

const KeyStore = z
  .object({
    id: z.string(),
    kind: StoreKind,
    name: z.string(),
    primary: z.boolean().describe('True for the store of keys whose request does not specify a store'),
    reviewers: z
      .int()
      .exactOptional()
      .describe('The number of people who must approve each ceremony; absent means one. An addition to the published interface'),
  })
  .meta({ id: 'KeyStore' });
export const KeyStores = z.object({ items: z.array(KeyStore) });

export const KeyStoreSnapshot = KeyStore.extend({
  state: z
    .enum(KEY_STORE_STATES)
    .describe('`Active`: the store makes keys. `Draining`: no new keys; its keys stay usable. `Removed`: the store is gone'),
}).meta({ id: 'KeyStoreSnapshot' });

export const SignerClusters = z.object({
  clusters: z.array(
    z.object({
      clusterId: z.string().describe('ID of the key store'),
      signers: z.array(
        z.object({
          signerId: z.string(),
          encryptionKey: z
            .string()
            .describe('X25519 public key, 32 bytes in base64, to which the shares of an import are encrypted'),
        }),
      ),
    }),
  ),
});
