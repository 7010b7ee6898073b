const WORD_HEX = 64;
const PUSH1 = '60';
const PUSH2 = '61';
const PUSH32 = '7f';
const CODECOPY = '39';
const LOG0 = 0xa0;

type EmittedLog = { readonly topics: readonly string[]; readonly data: string };

const bytesOf = (hex: string): number => hex.length / 2;
const two = (value: number): string => value.toString(16).padStart(4, '0');

/** The code of a contract that emits the log while it is created, and then has no code. */
export function emittingCode({ topics, data }: EmittedLog): string {
  const content = data.slice(2);
  const pushed = [...topics].reverse().map((topic) => `${PUSH32}${topic.slice(2).padStart(WORD_HEX, '0')}`);
  const log = (LOG0 + topics.length).toString(16);
  const tail = `${pushed.join('')}${PUSH2}${two(bytesOf(content))}${PUSH1}00${log}00`;
  const headBytes = bytesOf(`${PUSH2}0000${PUSH2}0000${PUSH1}00${CODECOPY}`);
  const head = `${PUSH2}${two(bytesOf(content))}${PUSH2}${two(headBytes + bytesOf(tail))}${PUSH1}00${CODECOPY}`;
  return `0x${head}${tail}${content}`;
}
