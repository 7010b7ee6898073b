import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Passes the messages and stack traces of errors through the codec, because Temporal otherwise stores these texts unencrypted.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
