import { z } from 'zod';
import { hex, Id } from '../wire/schemas';

/** Requests a part of the charter in force. The part begins at the character `offset` of the text. */
export const ReadCharterOrder = z.strictObject({ orgId: Id, offset: z.int().nonnegative() });
export type ReadCharterOrder = z.infer<typeof ReadCharterOrder>;

/** Null for an organisation without a charter. `chars` is the length of the whole text. */
export const CharterPart = z.strictObject({
  charter: z
    .strictObject({ sequence: z.int().positive(), digest: hex(32), chars: z.int().positive(), part: z.string() })
    .nullable(),
});
export type CharterPart = z.infer<typeof CharterPart>;

/** Requests the charters in force, in the order of the organisations' ids. The list begins after the id `after`. */
export const ListChartersQuestion = z.strictObject({ after: Id.exactOptional() });
export type ListChartersQuestion = z.infer<typeof ListChartersQuestion>;
/** Empty after the last organisation. */
export const CharterList = z.strictObject({
  charters: z.array(z.strictObject({ orgId: Id, sequence: z.int().positive(), digest: hex(32) })),
});
export type CharterList = z.infer<typeof CharterList>;
