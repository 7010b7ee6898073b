/**
 * The Temporal header that carries the request's context in starts, signals and activities. Histories contain the name, so it
 * is durable.
 */
export const CONTEXT_HEADER = 'strongroom-context';
