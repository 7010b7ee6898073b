import { openDek, openKey } from './envelope';
import { sealShare } from './hpke';
import type { KeyJournal } from './journal';
import type { KekProvider } from './kek';
import { exportInfo } from './key-shares';
import { assertKeyRows, assertTimely } from './order-checks';
import type { ExportedKey, ExportKeyOrder } from './protocol';
import { Refusal, refuseUnless } from './refusal';
import type { StandingFreezes } from './standing-freezes';
import { assertSwitchedOn, type SwitchesOn } from './switches';

/** Gives a key away. The journal says so before the answer leaves, and from then on the key signs nothing here. */
export function createKeyExporter(
  kek: KekProvider,
  journal: KeyJournal,
  freezes: Pick<StandingFreezes, 'assertFree'>,
  switches: SwitchesOn,
  nowMs: () => number,
) {
  return async (order: ExportKeyOrder): Promise<ExportedKey> => {
    assertSwitchedOn(switches, 'Export');
    assertTimely(order, nowMs());
    assertKeyRows(order);
    const { requestId, orgId, keyId, recipientKey, sealed } = order;
    const assertFree = () => {
      const { same, above, below } = journal.kinOf(sealed);
      // A master key makes its children, so a frozen child keeps it here too.
      freezes.assertFree({ orgId, keyIds: [...same, ...below], masterIds: above, form: sealed });
    };
    assertFree();
    const exported = { requestId, orgId, keyId, recipientKey };
    const known = journal.findExport(exported);
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
      if (!known) await journal.recordExport(exported);
      return { encryptedShare: share.toString('base64') };
    } finally {
      secret?.fill(0);
      dek.fill(0);
    }
  };
}
