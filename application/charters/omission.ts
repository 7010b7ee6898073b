/** A part of the organisation that a charter leaves out, as text for the operator. */
export type Omission = { readonly subject: string; readonly reason: string };
