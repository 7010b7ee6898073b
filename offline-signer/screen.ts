/**
 * The conversation with the people at the device. A ceremony uses only this interface, so that tests and the trial can hold the
 * conversation in place of a terminal.
 */
export type Screen = {
  readonly say: (lines: readonly string[]) => void;
  /** True only if the person agrees explicitly. */
  readonly confirm: (question: string) => Promise<boolean>;
  readonly ask: (question: string) => Promise<string>;
  /** Like `ask`, for a PIN or dice. The answer is never shown or recorded. */
  readonly askSecret: (question: string) => Promise<string>;
};
