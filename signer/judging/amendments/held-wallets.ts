import { findNetwork } from '../../../chains/networks';
import type { Amendment } from '../../charters/amend-charter-order';
import type { CharterWallet } from '../../charters/charter';
import type { CharterInForce } from '../../charters/charter-in-force';
import { heldAuthority } from '../../charters/held-authority';
import type { Evidence } from '../../record/evidence';
import type { HeldWallets } from '../../record/holders/held-wallets';
import type { KeyHolding } from '../../record/holders/holder-entries';
import type { KeyLog } from '../../record/key-log';
import { Refusal, refuseUnless } from '../../wire/refusal';
import type { Judging } from '../people/action-age';
import { assertFor, holderOrMember, isRegistration, walletAskedIn } from '../people/judge-holding';
import { assertCounts } from '../people/signed-action';
import { addressUnder } from './wallets';

type Asked = {
  readonly charter: CharterInForce;
  readonly holding: KeyHolding;
  readonly amendment: Amendment<'createWallet'>;
  readonly evidence: readonly Evidence[];
  readonly keys: Pick<KeyLog, 'find' | 'originOf'>;
  readonly wallets: Pick<HeldWallets, 'ofKey'>;
};
type Judged = { readonly wallet: CharterWallet; readonly action?: string };

/**
 * The wallet of a key that an end user holds, with the address that the signer computes. `action` is the digest of the signed
 * user action that requested the wallet; that action cannot be used for a second wallet. The wallet of a new key needs the action
 * that requested the key. Only the holder can add a wallet to an existing key. Throws a `Refusal`.
 */
export function judgeHeldWallet(asked: Asked, judging: Judging): Judged {
  const { charter, holding, evidence, keys } = asked;
  const { walletId: id, keyId, network: given } = asked.amendment;
  const key = keys.find(keyId)?.sealed;
  if (!key || key.orgId !== charter.content.organizationId) throw new Refusal('KeyRowMismatch');
  refuseUnless(!charter.wallet(id) && !charter.content.feeSponsors.some(({ walletId }) => walletId === id), 'RequestMismatch');
  const action = holderOrMember(charter, holding, evidence, judging);
  const isOfRegistration = !action.isOwn && isRegistration(action);
  const network = isOfRegistration ? given : networkIn(action, asked);
  if (network === undefined || ![undefined, network].includes(given)) throw new Refusal('RequestMismatch');
  if (isOfRegistration) assertFirstOf(action, asked);
  const address = addressUnder(heldAuthority(charter, holding, []), network, key);
  return { wallet: { id, keyId, network, address, tags: [] }, ...(isOfRegistration ? {} : { action: action.digest }) };
}

type Acted = ReturnType<typeof holderOrMember>;

/** The network of the requested wallet. Throws a `Refusal` if the request is for a wallet of a different key. */
function networkIn(action: Acted, { holding, amendment: { keyId }, keys }: Asked): string {
  const { isOwn, digest } = action;
  const { network, delegateTo, signingKey: { id: named, deriveFrom } = {} } = walletAskedIn(action);
  if (isOwn) assertCounts(action, 'createWallet');
  const origin = keys.originOf(keyId);
  if (named !== undefined) {
    refuseUnless(isOwn && named === keyId, 'RequestMismatch');
    return network;
  }
  assertFor(holding, isOwn, delegateTo);
  const isOfThis =
    deriveFrom === undefined ? digest === holding.action && origin === undefined : isOwn && isAt(origin, deriveFrom);
  refuseUnless(isOfThis, 'RequestMismatch');
  return network;
}

/** No signature covers the network, so the network must be a test network, and the wallet must be the first wallet of its key. */
function assertFirstOf(action: Acted, { charter, holding, amendment: { keyId, network = '' }, keys, wallets }: Asked): void {
  refuseUnless(action.digest === holding.action && keys.originOf(keyId) === undefined, 'RequestMismatch');
  refuseUnless(wallets.ofKey(charter.content.organizationId, keyId).length === 0, 'RequestMismatch');
  refuseUnless(findNetwork(network)?.isMainnet !== true, 'MainnetNotAllowed');
}

type Place = { readonly keyId: string; readonly path?: string | undefined };

const isAt = (origin: ReturnType<KeyLog['originOf']>, { keyId, path }: Place): boolean =>
  origin !== undefined && 'parentKeyId' in origin && origin.parentKeyId === keyId && (path === undefined || origin.path === path);
