import { createSecretBox } from '../../platform/secret-box';

/** Seals mails that no test reads. */
export const MAILING = { mailContents: createSecretBox(Buffer.alloc(32), 'mails') };
