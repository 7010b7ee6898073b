/** Control, format and private characters, which can hide or reorder text on a terminal. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A text of the database on one line, as a terminal shows it. Users choose such texts, and must not draw lines of a reading. */
export const plain = (text: string): string =>
  text.replace(INVISIBLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
