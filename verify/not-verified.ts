/** The message states the finding in words, and is the only text about the refusal that a person reads. */
export class NotVerified extends Error {
  override readonly name = 'NotVerified';
}

/** The program was called incorrectly. This error says nothing about the content that was to be verified. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

export function assertVerified(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new NotVerified(otherwise);
}
