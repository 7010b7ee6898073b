import { type RefusalReason, SIGNED_ALREADY } from './refusal-reasons';

/** Contains only a name, because the refusal leaves the signer. */
export class Refusal extends Error {
  constructor(
    readonly reason: RefusalReason,
    /** True if a signature of this request, intent or nonce exists, even if the order itself is wrong. */
    readonly signedBefore = SIGNED_ALREADY.has(reason),
  ) {
    super(reason);
    this.name = 'Refusal';
  }
}

export function refuseUnless(condition: boolean, reason: RefusalReason): asserts condition {
  if (!condition) throw new Refusal(reason);
}
