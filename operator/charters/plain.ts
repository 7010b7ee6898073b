/** Control, format and private characters, which can hide or reorder text on a terminal. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A text from the database on one line. Users choose these texts, and must not be able to forge lines of the printed charter. */
export const plain = (text: string): string =>
  text.replace(/ {2,}/gu, ' ').replace(INVISIBLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);

/** A text from the database in quotation marks, so that one text cannot look like several texts in a list. */
export const quoted = (text: string): string => `"${plain(text).replaceAll('"', '\\"')}"`;
