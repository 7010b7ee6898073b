/** The message says in words what was found, and is all that a person reads of a refusal. */
export class NotVerified extends Error {
  override readonly name = 'NotVerified';
}

/** A wrong call of the program, which says nothing about what was to be verified. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

export function assertVerified(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new NotVerified(otherwise);
}
