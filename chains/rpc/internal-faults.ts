import type { Node } from './nodes';

/** JSON-RPC 2.0 reserves it for internal errors; clients also use it for calls that halt, so by itself it says nothing of the node. */
export const INTERNAL_FAULT = -32_603;

/** So many nodes have to say the same of a question before that is the question's failure and not theirs. */
export const WORDS_THAT_SETTLE = 2;

/** A node answered with an internal error in words that are not known to speak of the question. */
export class InternalFault extends Error {
  constructor(
    readonly node: Node,
    message: string,
  ) {
    super(message);
    this.name = 'InternalFault';
  }
}

/** One of the faults that at least `needed` nodes named in the same words. */
export const saidBy = (faults: readonly InternalFault[], needed: number): InternalFault | undefined =>
  faults.find((fault) => faults.filter(({ message }) => message === fault.message).length >= needed);
