/** Control and format characters can hide or reorder text on a screen. */
export const printable = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
