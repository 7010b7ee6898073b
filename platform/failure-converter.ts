import { DefaultFailureConverter } from '@temporalio/common';

/** Messages and stack traces go through the codec too: by default Temporal stores them in plain text. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
