import { AppError, invariant } from '../../domain/errors';
import { prefixed } from '../../domain/hex';
import { assertNotFrozen, reachOfKey } from '../freezes/active-freezes';
import { assertStoreDoes } from '../key-stores/assert-store-does';
import type { Services } from '../services';
import type { Authority } from '../user-actions/act';
import { askSigner } from './ask-signer';
import { assertMaySign } from './key-use';
import { lockKeyOf } from './plan-key';

export type Derivation = { readonly domain: string; readonly seed: string };

/**
 * Multiplies the key's secret with the point that `seed` maps to under the tag `domain` (RFC 9380,
 * secp256k1_XMD:SHA-256_SSWU_RO_). Returns the compressed point as hex. Throws the errors of `askSigner`. Throws `NotFound` for
 * a key that the caller may not see. Throws `WrongState` for a key whose scheme is not `DH`, and for a deleted or exported key.
 * Throws `Forbidden` for another user's key, and `TargetFrozen` for a frozen key.
 */
export async function deriveKey(
  services: Services,
  authority: Authority,
  keyId: string,
  { domain, seed }: Derivation,
): Promise<string> {
  const { outputHex } = await askSigner(services, authority, async (tx) => {
    const key = await lockKeyOf(tx, authority.caller, keyId);
    if (key.scheme !== 'DH') throw new AppError('WrongState', 'only a DH key on secp256k1 supports this derivation', { keyId });
    assertMaySign(authority.caller, key);
    await assertStoreDoes(tx, key, 'SharedSecret');
    await assertNotFrozen(tx, await reachOfKey(tx, key));
    return { keyId, question: { kind: 'Derive', domainHex: prefixed(domain), seedHex: prefixed(seed) } };
  });
  invariant(outputHex !== undefined, 'a derivation has an output');
  return outputHex;
}
