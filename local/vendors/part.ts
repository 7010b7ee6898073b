import type { z } from 'zod';

/** A request as a vendor sees it; credentials are checked before and are not in it. */
export type VendorRequest = {
  readonly method: string;
  /** Behind the vendor's own first word. */
  readonly path: string;
  readonly body: unknown;
};
export type VendorReply = { readonly status: number; readonly body: unknown };

type Answer<S> = (request: VendorRequest, script: S) => VendorReply | undefined | Promise<VendorReply | undefined>;

/** One simulated vendor: what it can be told to answer, and how it answers. */
export type VendorPart = {
  /** The first word of its paths, and its name in the page and the scripting interface. */
  readonly name: string;
  readonly title: string;
  /** What it can be told beside how it behaves; its default is a vendor that finds nothing. */
  readonly Script: z.ZodType;
  /** Undefined for what this vendor does not know. */
  readonly answer: Answer<unknown>;
  /** Forgets what it was asked. */
  readonly reset: () => void;
};

/** Lets a part be written with the type that its own schema gives. */
export function vendorPart<S extends z.ZodType>(
  part: Omit<VendorPart, 'Script' | 'answer'> & { readonly Script: S; readonly answer: Answer<z.output<S>> },
): VendorPart {
  const { Script, answer } = part;
  return { ...part, answer: (request, script) => answer(request, Script.parse(script)) };
}
