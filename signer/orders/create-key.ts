import { parseDerivationPath } from '../../domain/derivation-paths';
import { assertKeyRows } from '../judging/order-checks';
import type { CharterPeople } from '../judging/people/people';
import { chainCodeOf, deriveNode } from '../keys/child-keys';
import { openDek, openKey } from '../keys/envelope';
import type { KekProvider } from '../keys/kek';
import type { KeyMaker } from '../keys/key-maker';
import type { CreatedKey, CreateKeyOrder } from '../protocol';
import type { HolderCredentials } from '../record/holders/holder-credentials';
import type { KeyLog } from '../record/key-log';
import { schemeOf } from '../schemes/scheme';
import { Refusal, refuseUnless } from '../wire/refusal';

/**
 * Derives the secret of a child key. ECDSA and Schnorr share one tree, so the parent may have the other scheme. The caller
 * wipes the secret.
 */
async function childSecret(kek: KekProvider, keyLog: KeyLog, order: CreateKeyOrder): Promise<Buffer> {
  const { orgId, scheme, curve, parent } = order;
  if (!parent) throw new Error('a child has a parent');
  const { keyId, path, sealed, dek: row } = parent;
  assertKeyRows({ orgId, keyId, sealed, dek: row });
  refuseUnless(curve !== 'stark' && sealed.curve === curve, 'DerivationNotSupported');
  refuseUnless(scheme !== 'DH' && sealed.scheme !== 'DH', 'DerivationNotSupported');
  refuseUnless(!keyLog.isChild(keyId), 'DerivationNotSupported');
  const levels = parseDerivationPath(path);
  if (!levels || (curve === 'ed25519' && levels.some(({ hardened }) => !hardened))) throw new Refusal('DerivationNotSupported');
  refuseUnless(!keyLog.isExported(sealed), 'KeyExported');

  const dek = await openDek(kek, row, orgId);
  try {
    const secret = openKey(dek, sealed, { orgId, keyId });
    try {
      return deriveNode({ secret, chainCode: chainCodeOf(secret) }, curve, levels).secret;
    } finally {
      secret.fill(0);
    }
  } finally {
    dek.fill(0);
  }
}

type Parts = {
  readonly kek: KekProvider;
  readonly keyLog: KeyLog;
  readonly make: KeyMaker;
  readonly people: Pick<CharterPeople, 'judgeHolding'>;
  readonly holders: Pick<HolderCredentials, 'standingOf'>;
};

export function createKeyCreator({ kek, keyLog, make, people, holders }: Parts) {
  return async (order: CreateKeyOrder): Promise<CreatedKey> => {
    const { parent, holder } = order;
    if (parent) {
      // A derived key has the same holder as its master key, because the owner of the master key can derive the key again.
      refuseUnless(holder === undefined, 'MalformedOrder');
      return make(order, () => childSecret(kek, keyLog, order), { origin: { parentKeyId: parent.keyId, path: parent.path } });
    }
    // The order comes from the service's rows, which may list a credential that was removed.
    const judge = (given: NonNullable<typeof holder>) =>
      people.judgeHolding({ ...order, holder: holders.standingOf(order.orgId, given) });
    const holding = holder && { userId: holder.userId, judge: () => judge(holder) };
    return make(order, async () => schemeOf(order).createSecret(), { holding });
  };
}
