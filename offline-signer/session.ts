import type { Screen } from './screen';
import type { OpenFolder } from './state/open-folder';

/** One run of the program on one machine. `now` is the machine's clock, which may be wrong. */
export type Session = { readonly open: OpenFolder; readonly screen: Screen; readonly now: () => Date };

/** The texts that a command writes, by file name. */
export type Files = Readonly<Record<string, string>>;
