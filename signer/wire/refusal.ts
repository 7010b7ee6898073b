import { type RefusalReason, SIGNED_ALREADY } from './refusal-reasons';

/** An order that is not carried out. Carries only a name, because it crosses the process boundary. */
export class Refusal extends Error {
  constructor(
    readonly reason: RefusalReason,
    /** A signature of this request, intent or nonce exists, even if the order is wrong now. */
    readonly signedBefore = SIGNED_ALREADY.has(reason),
  ) {
    super(reason);
    this.name = 'Refusal';
  }
}

export function refuseUnless(condition: boolean, reason: RefusalReason): asserts condition {
  if (!condition) throw new Refusal(reason);
}
