import type { z } from 'zod';

/** A request as a vendor gets it. The server has already checked the credentials and removed them. */
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
  /** The name of the vendor on the page and in the paths of all requests to the vendor. */
  readonly name: string;
  readonly title: string;
  /** The schema of the vendor's script, which sets its findings. With an empty script the vendor finds nothing. */
  readonly Script: z.ZodType;
  /** Returns undefined for a request that the vendor does not know. */
  readonly answer: Answer<unknown>;
  /** Makes the vendor forget all requests. */
  readonly reset: () => void;
};

/** Makes a part from an `answer` that takes the script in the type of the schema `Script`. */
export function vendorPart<S extends z.ZodType>(
  part: Omit<VendorPart, 'Script' | 'answer'> & { readonly Script: S; readonly answer: Answer<z.output<S>> },
): VendorPart {
  const { Script, answer } = part;
  return { ...part, answer: (request, script) => answer(request, Script.parse(script)) };
}
