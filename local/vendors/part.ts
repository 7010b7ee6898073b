import type { z } from 'zod';

/** The server has already checked and removed the credentials. */
export type VendorRequest = {
  readonly method: string;
  /** The path without the vendor's name. */
  readonly path: string;
  readonly body: unknown;
};
export type VendorReply = { readonly status: number; readonly body: unknown };

type Answer<S> = (request: VendorRequest, script: S) => VendorReply | undefined | Promise<VendorReply | undefined>;

export type VendorPart = {
  /** The name on the page and in the paths of all requests to the vendor. */
  readonly name: string;
  readonly title: string;
  /** The schema of the script, which sets the vendor's findings. With an empty script the vendor finds nothing. */
  readonly Script: z.ZodType;
  /** Undefined for a request that the vendor does not know. */
  readonly answer: Answer<unknown>;
  /** Makes the vendor forget all requests. */
  readonly reset: () => void;
};

export function vendorPart<S extends z.ZodType>(
  part: Omit<VendorPart, 'Script' | 'answer'> & { readonly Script: S; readonly answer: Answer<z.output<S>> },
): VendorPart {
  const { Script, answer } = part;
  return { ...part, answer: (request, script) => answer(request, Script.parse(script)) };
}
