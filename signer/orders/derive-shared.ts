import { secp256k1, secp256k1_hasher } from '@noble/curves/secp256k1.js';
import { assertKeyRows, assertTimely } from '../judging/order-checks';
import type { CharterPeople } from '../judging/people/people';
import { openDek, openKey } from '../keys/envelope';
import type { KekProvider } from '../keys/kek';
import type { DeriveSharedOrder, SharedOutput } from '../protocol';
import { type ActiveFreezes, useOf } from '../record/active-freezes';
import type { KeyLog } from '../record/key-log';
import { refuseUnless } from '../wire/refusal';

const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex');

/** The suite `secp256k1_XMD:SHA-256_SSWU_RO_` of RFC 9380 (section 8.7), with `domain` as the domain separation tag. */
export const pointOf = (seed: Uint8Array, domain: Uint8Array) => secp256k1_hasher.hashToCurve(seed, { DST: domain });

type Parts = {
  readonly kek: KekProvider;
  readonly keyLog: KeyLog;
  readonly freezes: Pick<ActiveFreezes, 'assertFree'>;
  readonly people: Pick<CharterPeople, 'assertDerivation'>;
  readonly nowMs: () => number;
};

/** The same key, domain and seed always give the same result. */
export function createSharedDeriver({ kek, keyLog, freezes, people, nowMs }: Parts) {
  return async (order: DeriveSharedOrder): Promise<SharedOutput> => {
    assertTimely(order, nowMs());
    assertKeyRows(order);
    people.assertDerivation(order);
    refuseUnless(order.sealed.scheme === 'DH' && order.sealed.curve === 'secp256k1', 'PayloadNotSupported');
    refuseUnless(!keyLog.isExported(order.sealed), 'KeyExported');
    freezes.assertFree({ ...useOf(keyLog.kinOf(order.sealed)), orgId: order.orgId, form: order.sealed });
    const point = pointOf(bytesOf(order.seedHex), bytesOf(order.domainHex));

    const dek = await openDek(kek, order.dek, order.orgId);
    let secret: Buffer | undefined;
    try {
      secret = openKey(dek, order.sealed, order);
      const output = point.multiply(secp256k1.Point.Fn.fromBytes(secret));
      return { outputHex: `0x${Buffer.from(output.toBytes(true)).toString('hex')}` };
    } finally {
      secret?.fill(0);
      dek.fill(0);
    }
  };
}
