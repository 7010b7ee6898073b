import pino from 'pino';

export type Logger = pino.Logger;

/**
 * What may be said of an error: name, stable code, message and stack of it and its causes. `details` and every other member
 * stay out, because an allow-list is the only filter that also holds for members nobody thought of.
 */
function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error };
  const code = (error as { code?: unknown }).code;
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.cause !== undefined && depth < 3 ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
}

/** JSON lines on standard output, one logger per process. */
export function createLogger(role: string, level: string): Logger {
  return pino({
    level,
    base: { role },
    serializers: { err: (error) => describeError(error), error: (error) => describeError(error) },
  });
}
