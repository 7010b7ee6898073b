import { plain } from '../../operator/charters/plain';
import { sha256Hex } from '../../platform/digests';
import { parseStrictJson } from '../../platform/strict-json';
import { line } from '../content/content-words';
import { NotVerified } from '../not-verified';

const INDENT = 2;

/** The JSON in lines. Each text of the JSON stays on one line, without characters that a terminal executes as commands. */
export function jsonLines(value: unknown): readonly string[] {
  const lines = JSON.stringify(value, null, INDENT).split('\n');
  return lines.map((text) => {
    const [indent = ''] = /^ */.exec(text) ?? [];
    return `${indent}${plain(text.slice(indent.length))}`;
  });
}

/** The body of a request in lines. Throws `NotVerified` if two parsers could read the text differently. */
export function bodyLines(body: string): readonly string[] {
  if (body === '') return [line('Body', 'none')];
  const json = parseStrictJson(Buffer.from(body, 'utf8'));
  if (!json.ok) throw new NotVerified(`The body is not valid JSON: ${plain(`${json.fault.path} ${json.fault.message}`.trim())}.`);
  const digest = sha256Hex(body);
  return [line('Body', `SHA-256 ${digest}`), ...jsonLines(json.value).map((text) => `  ${text}`)];
}
