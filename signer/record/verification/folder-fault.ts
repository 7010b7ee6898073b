/** `place` names a file in the state folder, and the line if the fault is in a line. */
export type FolderFault = { readonly place: string; readonly fault: string };

/** The text of an error that concerns the folder and not the program. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
