import type { Causes } from '../../activities/outgoing/causes';

/** Finds no fault (undefined) in the cause of any record, so that a test of a single step can use rows that no user signed. */
export const ANY_CAUSE: Causes = {
  ofTransfer: async () => undefined,
  ofSignature: async () => undefined,
  ofKeyRequest: async () => undefined,
};
