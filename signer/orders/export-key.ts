import { assertKeyRows, assertTimely } from '../judging/order-checks';
import type { CharterPeople } from '../judging/people/people';
import { assertSwitchedOn, type SwitchesOn } from '../judging/switches';
import { openDek, openKey } from '../keys/envelope';
import { sealShare } from '../keys/hpke';
import type { KekProvider } from '../keys/kek';
import { exportInfo } from '../keys/key-shares';
import type { ExportedKey, ExportKeyOrder } from '../protocol';
import { type ActiveFreezes, useOf } from '../record/active-freezes';
import type { KeyLog } from '../record/key-log';
import { Refusal, refuseUnless } from '../wire/refusal';

type Parts = {
  readonly kek: KekProvider;
  readonly keyLog: KeyLog;
  readonly freezes: Pick<ActiveFreezes, 'assertFree'>;
  readonly switches: SwitchesOn;
  readonly people: Pick<CharterPeople, 'judgeExport'>;
  readonly nowMs: () => number;
};

/** The journal records the export before the reply leaves. After this record, the signer no longer signs with the key. */
export function createKeyExporter({ kek, keyLog, freezes, switches, people, nowMs }: Parts) {
  return async (order: ExportKeyOrder): Promise<ExportedKey> => {
    assertSwitchedOn(switches, 'Export');
    assertTimely(order, nowMs());
    assertKeyRows(order);
    const action = people.judgeExport(order);
    const { requestId, orgId, keyId, recipientKey, sealed } = order;
    const assertFree = () => {
      // The export of a master key also reveals its children, so a frozen child blocks this export.
      freezes.assertFree({ ...useOf(keyLog.kinOf(sealed), keyLog.descendantsOf(sealed)), orgId, form: sealed });
    };
    assertFree();
    const exported = { requestId, orgId, keyId, recipientKey, ...(action === undefined ? {} : { action }) };
    const known = keyLog.findExport(exported);
    refuseUnless(!known || JSON.stringify(known) === JSON.stringify(exported), 'RequestIdReused');

    const dek = await openDek(kek, order.dek, orgId);
    let secret: Buffer | undefined;
    try {
      secret = openKey(dek, sealed, order);
      const info = exportInfo({ orgId, curve: sealed.curve, publicKeyHex: sealed.publicKeyHex });
      const share = await sealShare(Buffer.from(recipientKey, 'base64'), info, secret).catch(() => {
        throw new Refusal('InvalidRecipientKey');
      });
      assertFree();
      if (!known) await keyLog.recordExport(exported, order.evidence);
      return { encryptedShare: share.toString('base64') };
    } finally {
      secret?.fill(0);
      dek.fill(0);
    }
  };
}
