/** The header of starts, signals and activities that carries the request's context. Histories hold it, so it keeps its name. */
export const CONTEXT_HEADER = 'strongroom-context';
