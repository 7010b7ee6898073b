import type { Scene } from './fixture';

/** One line of the table: the requirement, and whether it held. */
export type Finding = { readonly had: string; readonly seen: boolean; readonly note?: string };

/** One fault in the surroundings of the running service. */
export type Fault = {
  readonly name: string;
  /** The fault in words. */
  readonly done: string;
  /** Repairs everything that it broke, even if it throws, so that the service is intact afterwards. */
  readonly run: (scene: Scene) => Promise<readonly Finding[]>;
};

/** The requirement that a list of violations is empty. The first violations become its note. */
export const none = (had: string, objections: readonly string[]): Finding => ({
  had,
  seen: objections.length === 0,
  ...(objections.length === 0 ? {} : { note: objections.slice(0, 3).join('; ') }),
});
