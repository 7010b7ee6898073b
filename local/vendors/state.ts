import { z } from 'zod';
import type { VendorPart } from './part';

const REQUESTS_MAX = 200;
const DELAY_MS_MAX = 120_000;

/** The behaviour of the server. The script sets the vendor's findings. */
const Behaviour = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('Normal') }),
  z.strictObject({ kind: z.literal('Slow'), delayMs: z.int().min(0).max(DELAY_MS_MAX) }),
  z.strictObject({ kind: z.literal('Error'), status: z.int().min(300).max(599) }),
  z.strictObject({ kind: z.literal('RateLimited'), retryAfterSeconds: z.int().min(0).max(3_600) }),
  /** The vendor accepts the request and never replies. */
  z.strictObject({ kind: z.literal('Silent') }),
  /** The vendor replies with status 200 and a text that repeats the credentials of the request and is not JSON. */
  z.strictObject({ kind: z.literal('Garbage') }),
  z.strictObject({ kind: z.literal('TooLong') }),
  /** The vendor ends the connection in the middle of the reply. */
  z.strictObject({ kind: z.literal('Broken') }),
]);

/** After `times` requests the vendor returns to its initial instruction. Without `times` the instruction stays. */
const Instruction = z.strictObject({
  behaviour: Behaviour.default({ kind: 'Normal' }),
  times: z.int().min(1).exactOptional(),
  script: z.unknown().optional(),
});

export type Scripted = { readonly behaviour: z.output<typeof Behaviour>; readonly times?: number; readonly script: unknown };
type Seen = { readonly date: string; readonly method: string; readonly path: string; readonly body: unknown };

export type VendorState = {
  readonly part: VendorPart;
  readonly scripted: () => Scripted;
  /** Throws a `ZodError` that lists the faults of the instruction. */
  readonly tell: (instruction: unknown) => void;
  /** Records the request, and returns the instruction in force. The request counts towards `times`. */
  readonly next: (seen: Seen) => Scripted;
  /** The requests, the newest first and without credentials. */
  readonly requests: () => readonly Seen[];
  readonly reset: () => void;
};

export function createVendorState(part: VendorPart): VendorState {
  const initial: Scripted = { behaviour: { kind: 'Normal' }, script: part.Script.parse({}) };
  let scripted = initial;
  let requests: Seen[] = [];
  return {
    part,
    scripted: () => scripted,
    tell: (instruction) => {
      const { behaviour, times, script } = Instruction.parse(instruction);
      scripted = { behaviour, ...(times === undefined ? {} : { times }), script: part.Script.parse(script ?? {}) };
    },
    next: (seen) => {
      requests = [seen, ...requests].slice(0, REQUESTS_MAX);
      const now = scripted;
      if (now.times !== undefined) scripted = now.times > 1 ? { ...now, times: now.times - 1 } : initial;
      return now;
    },
    requests: () => requests,
    reset: () => {
      scripted = initial;
      requests = [];
      part.reset();
    },
  };
}
