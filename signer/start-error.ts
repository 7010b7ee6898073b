/** The reason why a start cannot succeed, in one sentence for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
