import type { Node } from './nodes';

/** JSON-RPC 2.0 reserves it for internal errors; clients also use it for calls that halt, so the code alone does not blame the node. */
export const INTERNAL_FAULT = -32_603;

/** Once this many nodes report the same about a request, the failure is the request's and not theirs. */
export const WORDS_THAT_SETTLE = 2;

/** A node replied with an internal error whose message is not known to concern the request. */
export class InternalFault extends Error {
  constructor(
    readonly node: Node,
    message: string,
  ) {
    super(message);
    this.name = 'InternalFault';
  }
}

/** The first fault that at least `needed` nodes reported in the same words. */
export const saidBy = (faults: readonly InternalFault[], needed: number): InternalFault | undefined =>
  faults.find((fault) => faults.filter(({ message }) => message === fault.message).length >= needed);
