import type { FieldFault } from '../domain/field-faults';

/** `path` is the place of the fault; empty for a fault of the whole text. */
export type StrictJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fault: FieldFault };

const DEPTH_MAX = 32;
const LONE_SURROGATE = /\p{Surrogate}/u;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses only JSON that every parser reads in the same way. The text must be UTF-8 of limited depth. No member may appear twice
 * in an object, because parsers would choose different values. No string may contain a zero character, which Postgres cannot
 * store, or a lone surrogate, which UTF-8 cannot encode.
 */
export function parseStrictJson(bytes: Uint8Array): StrictJson {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    return { ok: false, fault: { path: '', message: 'is not valid JSON in UTF-8' } };
  }
  const fault = structuralFault(text) ?? textFault(value, '');
  return fault ? { ok: false, fault } : { ok: true, value };
}

/** Searches at any depth for a zero character, a lone surrogate, and a member named `__proto__`. Returns the first fault. */
export function textFault(value: unknown, path: string): FieldFault | undefined {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) return { path, message: 'must not contain a zero character' };
    return LONE_SURROGATE.test(value) ? { path, message: 'must be well-formed Unicode' } : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const place = path === '' ? name : `${path}.${name}`;
    if (name === '__proto__') return { path: place, message: 'unknown field' };
    const fault = textFault(name, path) ?? textFault(member, place);
    if (fault) return fault;
  }
  return undefined;
}

/** Finds repeated members and a nesting that is too deep. A regular expression would exhaust the stack on a long string. */
function structuralFault(text: string): FieldFault | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : undefined);
      if (open.length > DEPTH_MAX) return { path: '', message: `must not be nested deeper than ${DEPTH_MAX} levels` };
    } else if (char === '}' || char === ']') {
      open.pop();
    } else if (char === '"') {
      const end = endOfString(text, at);
      if (isName(text, end + 1)) {
        const name: unknown = JSON.parse(text.slice(at, end + 1));
        const names = open.at(-1);
        if (typeof name === 'string' && names?.has(name)) return { path: name, message: 'must not appear twice' };
        if (typeof name === 'string') names?.add(name);
      }
      at = end;
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end;
}

/** In JSON a string is a member's name exactly when a colon follows. */
function isName(text: string, from: number): boolean {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ':';
}
