import type { Causes } from '../../activities/outgoing/causes';

/** For tests of the steps alone, whose rows nobody signed for. */
export const ANY_CAUSE: Causes = {
  ofTransfer: async () => undefined,
  ofSignature: async () => undefined,
  ofKeyRequest: async () => undefined,
};
