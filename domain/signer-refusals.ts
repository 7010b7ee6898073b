const PREFIX = 'The signer refused the order: ';

/** The text that a request keeps as its reason. */
export const refusalText = (reason: string): string => `${PREFIX}${reason}`;

/** The signer's reason in such a text; undefined for any other text. */
export const refusalIn = (text: string | null): string | undefined =>
  text?.startsWith(PREFIX) === true ? text.slice(PREFIX.length) : undefined;
