/** The message states the reason in words, and is the only text about the refusal that people read. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** The program was called incorrectly. */
export class WrongCall extends Error {
  override readonly name = 'WrongCall';
}

export function refuseUnlessAllowed(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Refused(otherwise);
}
