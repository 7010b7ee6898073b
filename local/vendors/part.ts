import type { z } from 'zod';

/** A request as a vendor sees it; credentials are checked earlier and removed. */
export type VendorRequest = {
  readonly method: string;
  /** The path after the vendor's name. */
  readonly path: string;
  readonly body: unknown;
};
export type VendorReply = { readonly status: number; readonly body: unknown };

type Answer<S> = (request: VendorRequest, script: S) => VendorReply | undefined | Promise<VendorReply | undefined>;

/** One simulated vendor: its possible instructions, and its responses. */
export type VendorPart = {
  /** The first segment of its paths, and its name in the page and the scripting interface. */
  readonly name: string;
  readonly title: string;
  /** Its instructions in addition to its behaviour as a server; by default the vendor finds nothing. */
  readonly Script: z.ZodType;
  /** Undefined for an unknown request. */
  readonly answer: Answer<unknown>;
  /** Forgets its requests. */
  readonly reset: () => void;
};

/** Infers the types of a part from its own schema. */
export function vendorPart<S extends z.ZodType>(
  part: Omit<VendorPart, 'Script' | 'answer'> & { readonly Script: S; readonly answer: Answer<z.output<S>> },
): VendorPart {
  const { Script, answer } = part;
  return { ...part, answer: (request, script) => answer(request, Script.parse(script)) };
}
