import { z } from 'zod';
import { decoderOf } from '../../../chains/decoders';
import { findNetwork, isFormOf } from '../../../chains/networks';
import { SOFTWARE_STORE_ID } from '../../../domain/key-stores';
import { KEY_CURVES, KEY_SCHEMES } from '../../../domain/keys';
import type { CharterWallet } from '../../charters/charter';
import type { CharterInForce } from '../../charters/charter-in-force';
import { Refusal, refuseUnless } from '../../wire/refusal';
import type { KeyOfOrder } from '../judged-orders';
import { assertCounts } from '../people/signed-action';
import { readSignedBody } from '../requests/signed-body';
import type { Amender, AskedAmendment } from './amender';

/** Accepts only new random keys, because an importer knows an imported key, and a holder of the parent knows a derived key. */
export const NewWallet = z.strictObject({
  network: z.string().min(1).max(64),
  name: z.string().optional(),
  externalId: z.string().optional(),
  signingKey: z
    .strictObject({
      scheme: z.enum(KEY_SCHEMES).optional(),
      curve: z.enum(KEY_CURVES).optional(),
      storeId: z.string().optional(),
    })
    .optional(),
  delayDelegation: z.literal(false).optional(),
  tags: z.array(z.string().min(1).max(100)).max(10).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  groupSize: z.unknown().optional(),
  groupThreshold: z.unknown().optional(),
});

export const createWallet: Amender<'createWallet'> = {
  changes(asked) {
    const { charter, action, amendment } = asked;
    const { walletId: id, keyId } = amendment;
    const { network, signingKey = {}, tags = [] } = readSignedBody(NewWallet, action);
    if (tags.length > 0) assertCounts(action, 'tagWallet');
    refuseUnless(!charter.wallet(id) && charter.walletsOfKey(keyId).length === 0, 'RequestMismatch');
    // A fee sponsor may name a wallet that the charter lacks. The operator has not signed that a new wallet with this id may pay
    // fees.
    refuseUnless(!charter.content.feeSponsors.some(({ walletId }) => walletId === id), 'RequestMismatch');
    const { storeId, ...key } = ownKey(asked);
    // The service must not choose another store than the member, or than the operator for a member who names none.
    const wanted = signingKey.storeId ?? asked.keys.primaryStoreId(charter.content.organizationId);
    refuseUnless(storeId === wanted, 'RequestMismatch');
    refuseUnless(signingKey.scheme === undefined || signingKey.scheme === key.scheme, 'RequestMismatch');
    refuseUnless(signingKey.curve === undefined || signingKey.curve === key.curve, 'RequestMismatch');
    const wallet: CharterWallet = {
      id,
      keyId,
      network,
      address: addressUnder(charter, network, key),
      tags: [...new Set(tags)].sort(),
    };
    return [{ section: 'wallets', id, value: wallet }];
  },
};

/**
 * Returns the key of the new wallet, with its store. Throws a `Refusal` unless this signer generated the key at random, or assigned
 * it to an offline store, while the organisation had a charter. Nothing was then signed with the key before, and its secret has
 * never left the signer or the devices.
 */
function ownKey({ charter, amendment: { keyId }, keys }: AskedAmendment<'createWallet'>): KeyOfOrder & { storeId: string } {
  const offline = keys.offlineKey(keyId);
  const key = offline ?? keys.find(keyId)?.sealed;
  if (!key || key.orgId !== charter.content.organizationId) throw new Refusal('KeyRowMismatch');
  const isRandom = [keyId, ...keys.kinOf(key).same].every((id) => keys.originOf(id) === undefined);
  refuseUnless(isRandom && !keys.isExported(key) && keys.isOfChartered(key), 'KeyRowMismatch');
  return { ...key, storeId: offline?.storeId ?? SOFTWARE_STORE_ID };
}

/** Throws a `Refusal` for a mainnet that the charter does not name, and for a network that has no addresses for such keys. */
export function addressUnder({ content }: CharterInForce, name: string, { scheme, curve, publicKeyHex }: KeyOfOrder): string {
  const network = findNetwork(name);
  if (!network) throw new Refusal('UnknownNetwork');
  refuseUnless(!network.isMainnet || content.mainnets?.includes(name) === true, 'MainnetNotAllowed');
  refuseUnless(isFormOf(network, { scheme, curve }), 'RequestMismatch');
  return decoderOf(network.name).addressOf(publicKeyHex);
}
