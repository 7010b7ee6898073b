import type { Causes } from '../../activities/outgoing/causes';

/** Passes the check of causes for every record (undefined: no fault), for tests of single steps with rows that no user signed. */
export const ANY_CAUSE: Causes = {
  ofTransfer: async () => undefined,
  ofSignature: async () => undefined,
  ofKeyRequest: async () => undefined,
};
