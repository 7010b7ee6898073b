import type { Node } from './nodes';

/** JSON-RPC 2.0 reserves this code for internal errors. Node software also returns this code for calls that halt. */
export const INTERNAL_FAULT = -32_603;

/** If this many nodes report the same fault, the request is at fault. */
export const WORDS_THAT_SETTLE = 2;

/** The message does not show whether the request or the node is at fault. */
export class InternalFault extends Error {
  constructor(
    readonly node: Node,
    message: string,
  ) {
    super(message);
    this.name = 'InternalFault';
  }
}

export const saidBy = (faults: readonly InternalFault[], needed: number): InternalFault | undefined =>
  faults.find((fault) => faults.filter(({ message }) => message === fault.message).length >= needed);
