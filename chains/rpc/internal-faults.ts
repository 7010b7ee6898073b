import type { Node } from './nodes';

/**
 * The code that JSON-RPC 2.0 reserves for internal errors. Node software also returns this code for calls that halt, so the
 * code is no proof of a broken node.
 */
export const INTERNAL_FAULT = -32_603;

/** If this many nodes report the same fault, the request is at fault, and the nodes are not. */
export const WORDS_THAT_SETTLE = 2;

/** A node's internal error whose message does not show whether the request or the node is at fault. */
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
