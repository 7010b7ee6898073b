export type Json = { readonly [name: string]: unknown };

/** A place in the facts as a JSON pointer, the right value for this place, and why the facts are wrong or incomplete. */
export type Correction = { readonly at: string; readonly value: unknown; readonly reason: string };

/** The document with these corrections. Throws if the place of a correction does not exist or already has the value. */
export function corrected(document: Json, corrections: readonly Correction[]): Json {
  return corrections.reduce((current, { at, value }) => replaced(current, stepsOf(at), value, at), document);
}

const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));

function replaced(place: unknown, [step = '', ...further]: readonly string[], value: unknown, at: string): Json {
  if (typeof place !== 'object' || place === null || Array.isArray(place)) throw new Error(`${at} leads nowhere`);
  const members: Json = { ...place };
  if (further.length > 0) return { ...members, [step]: replaced(members[step], further, value, at) };
  if (JSON.stringify(members[step]) === JSON.stringify(value)) throw new Error(`${at} already has this value`);
  return { ...members, [step]: value };
}
