/** A start that cannot succeed, in one sentence for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
