import { DefaultFailureConverter } from '@temporalio/common';

/** Passes the messages and stack traces of errors through the codec, because Temporal otherwise stores them in plain text. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
