/**
 * The Temporal header that carries the request's context in starts, signals and activities. The name is durable, because
 * histories contain it.
 */
export const CONTEXT_HEADER = 'strongroom-context';
