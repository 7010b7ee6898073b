/** The Temporal header that carries the request's context. The name is durable, because workflow histories contain it. */
export const CONTEXT_HEADER = 'strongroom-context';
