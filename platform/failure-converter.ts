import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Passes messages and stack traces of errors through the codec. Without `encodeCommonAttributes`, Temporal stores these texts
 * unencrypted.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
