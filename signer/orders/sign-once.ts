import type { SignerSwitch } from '../../domain/signer-switches';
import type { KeyOfOrder } from '../judging/judged-orders';
import type { AskedOrder } from '../judging/people/asked-order';
import type { createPeople } from '../judging/people/people';
import { repeatableOf } from '../judging/people/without-person';
import { assertSwitchedOn, type SwitchesOn } from '../judging/switches';
import type { SealedKeyOrder, SealedSigning } from '../keys/sealed-signing';
import type { PayloadSignature } from '../protocol';
import { type ActiveFreezes, useOf } from '../record/active-freezes';
import type { Evidence } from '../record/evidence';
import type { KeyLog } from '../record/key-log';
import type { Signed } from '../record/signing-entries';
import type { SigningLog } from '../record/signing-log';
import type { SignOptions } from '../schemes/scheme';
import { Refusal, refuseUnless } from '../wire/refusal';

type Order = {
  readonly orgId: string;
  readonly requestId: string;
  readonly evidence?: Evidence[] | undefined;
  readonly policyEpoch?: number | undefined;
};
export type JudgedOrder = {
  readonly asked: AskedOrder;
  readonly signed: Signed;
  readonly message: Uint8Array;
  readonly digestHex: string;
  readonly options?: SignOptions | undefined;
  /** Further messages, which the key signs after `message`. One transaction may need several signatures. */
  readonly further?: readonly { readonly message: Uint8Array; readonly options?: SignOptions | undefined }[];
  /** Set only for a transaction. */
  readonly network?: string | undefined;
  /** The only network on which the signature can have an effect. Defaults to `network`. */
  readonly validOn?: string | undefined;
  readonly needs?: SignerSwitch | undefined;
};

/** How a judged order is carried out. `make` runs in one step with the last checks and with the record. */
type Carrying = { readonly make: (judged: JudgedOrder) => PayloadSignature; readonly close: () => void };
type Way = { readonly key: KeyOfOrder; readonly open: () => Promise<Carrying> };

/**
 * Carries out only one payload for each request, intent and claim (such as a nonce or a coin). The log is durable before the
 * result leaves. Throws a `Refusal` from `judge` or from the log.
 */
export type OnceOnly = <O extends Order>(order: O, way: Way, judge: (order: O) => JudgedOrder) => Promise<PayloadSignature>;

export function createOnceOnly(
  keyLog: KeyLog,
  log: SigningLog,
  freezes: Pick<ActiveFreezes, 'assertFree'>,
  switches: SwitchesOn,
  people: Pick<ReturnType<typeof createPeople>, 'judge' | 'assertWithinLimits'>,
): OnceOnly {
  const carryOut = async (order: Order, { key, open }: Way, judgedOrder: JudgedOrder): Promise<PayloadSignature> => {
    const { asked, signed: described, network, validOn = network, needs } = judgedOrder;
    const assertFree = () => {
      freezes.assertFree({ ...useOf(keyLog.kinOf(key)), orgId: order.orgId, form: key, network });
    };
    // Freezes are checked before the log, because the signer does not return an earlier signature while the key is frozen.
    assertFree();
    const earlier = log.find(described);
    // An earlier signature has left the signer already, so the request gets that signature even if a switch is off now.
    if (earlier) return earlier;
    if (needs !== undefined) assertSwitchedOn(switches, needs);
    const repeatable = repeatableOf(asked, described);
    const judge = () => people.judge(asked, described, { network, validOn });
    const [judged, judgedAfter] = [judge(), log.size];
    const signed = { ...described, ...(repeatable === undefined ? {} : { repeatable }), ...judged };

    const carrying = await open();
    try {
      const makeOnce = () => {
        // These checks are here because nothing else in this process runs between this line and the signature.
        refuseUnless(!keyLog.isExported(key), 'KeyExported');
        assertFree();
        people.assertWithinLimits(signed);
        // Signatures since the judgement may have used up the window of a velocity rule.
        if (signed.asked !== undefined && log.size !== judgedAfter) judge();
        return carrying.make(judgedOrder);
      };
      return await log.record(signed, makeOnce, { evidence: order.evidence, policyEpoch: order.policyEpoch });
    } finally {
      carrying.close();
    }
  };

  return async (order, way, judge) => {
    try {
      return await carryOut(order, way, judge(order));
    } catch (error) {
      // The refused order may have been signed earlier, and the worker must know that before it releases the nonce.
      if (error instanceof Refusal && log.hasSigned(order)) throw new Refusal(error.reason, true);
      throw error;
    }
  };
}

/** Signs with the sealed key of the order. Also throws the `Refusal` of key rows that do not open. */
export type OnceSigner = <O extends Order & SealedKeyOrder>(
  order: O,
  judge: (order: O) => JudgedOrder,
) => Promise<PayloadSignature>;

export const createOnceSigner =
  (onceOnly: OnceOnly, signing: SealedSigning): OnceSigner =>
  (order, judge) => {
    const open = async (): Promise<Carrying> => {
      const key = await signing.open(order);
      const make = ({ digestHex, message, options, further = [] }: JudgedOrder) => ({
        digestHex,
        signatures: [{ message, options }, ...further].map((one) => key.sign(one.message, one.options)),
      });
      return { make, close: () => key.close() };
    };
    return onceOnly(order, { key: order.sealed, open }, judge);
  };
