import pino from 'pino';
import { type LogFields, listedFields } from './log-fields';
import { requestContext } from './request-context';

type Write = {
  (fields: LogFields, message: string): void;
  (message: string): void;
};

export type Logger = { readonly [level in (typeof LEVELS)[number]]: Write };

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug'] as const;

/** Every line that is written during a request contains the request's id. */
export function createLogger(role: string, level: string, output?: { write(line: string): void }): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { role },
    // People and log collectors need level names and ISO 8601 times instead of pino's numbers.
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    // log-fields.ts has already described the error. The serializer of pino would join the messages of an error and its causes.
    serializers: { err: (described: unknown) => described },
    mixin: () => {
      const { requestId } = requestContext();
      return requestId === undefined ? {} : { requestId };
    },
  };
  const lines = output ? pino(options, output) : pino(options);
  const at =
    (name: (typeof LEVELS)[number]): Write =>
    (first: LogFields | string, message?: string) => {
      if (!lines.isLevelEnabled(name)) return;
      // No arguments follow the message, so the logger never treats the message as a format string.
      if (typeof first === 'string') lines[name]({}, first);
      else lines[name](listedFields(first), message);
    };
  return { fatal: at('fatal'), error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}
