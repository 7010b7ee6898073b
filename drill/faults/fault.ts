import type { Scene } from './fixture';

/** One line of the table of results. `had` is the requirement in words, and `seen` tells whether the service met it. */
export type Finding = { readonly had: string; readonly seen: boolean; readonly note?: string };

/** One fault that the drill causes outside the processes of the running service. */
export type Fault = {
  readonly name: string;
  /** The fault in words. */
  readonly done: string;
  /**
   * Causes the fault and checks the requirements. Afterwards repairs everything that the fault broke, even if a check throws.
   */
  readonly run: (scene: Scene) => Promise<readonly Finding[]>;
};

/**
 * Makes the finding for a requirement. The requirement is met if `objections` is empty. The first three objections become the
 * note of the finding.
 */
export const none = (had: string, objections: readonly string[]): Finding => ({
  had,
  seen: objections.length === 0,
  ...(objections.length === 0 ? {} : { note: objections.slice(0, 3).join('; ') }),
});
