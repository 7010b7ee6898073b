import type { RefusalReason } from './protocol';

/** An order that is not carried out. Carries a name and nothing else, because it crosses the border of the process. */
export class Refusal extends Error {
  constructor(readonly reason: RefusalReason) {
    super(reason);
    this.name = 'Refusal';
  }
}

export function refuseUnless(condition: boolean, reason: RefusalReason): asserts condition {
  if (!condition) throw new Refusal(reason);
}
