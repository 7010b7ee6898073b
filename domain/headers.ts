/** The Temporal header for the request's context. The name is durable, because histories contain the name. */
export const CONTEXT_HEADER = 'strongroom-context';
