/** More than an input or an output of 4 MiB with its signature. */
export const ARCHIVE_CHARS_MAX = 8 * 1024 * 1024;
/** An output with 2,000 keys has about 20,000. */
const MARKS_MAX = 100_000;
/** The deepest archive has 9 levels, and `parseStrictJson` accepts 32. */
const DEPTH_MAX = 32;

const OPENS = new Set(['{', '[']);
const CLOSES = new Set(['}', ']']);

/** The position after the string that begins at `start`. */
function afterString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/**
 * False for a text whose values would fill the memory of the device: a parser makes all of them before any check can refuse them.
 */
export function isBounded(text: string): boolean {
  if (text.length > ARCHIVE_CHARS_MAX) return false;
  let [depth, marks] = [0, 0];
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? '';
    if (char === '"') {
      at = afterString(text, at);
      continue;
    }
    if (OPENS.has(char)) depth += 1;
    if (CLOSES.has(char)) depth -= 1;
    if (OPENS.has(char) || char === ',') marks += 1;
    if (depth > DEPTH_MAX || marks > MARKS_MAX) return false;
    at += 1;
  }
  return true;
}
