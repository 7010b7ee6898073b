import { z } from 'zod';
import { hex, Id } from '../wire/schemas';

const NEW_LINE = 0x0a;
/** A frame holds one piece and its heading. */
export const PIECE_BYTES_MAX = 512 * 1024;
/** The number of places that fit into one frame. */
export const ENDS_MAX = 4_000;

const Place = z.strictObject({ segment: z.int().positive(), offsetBytes: z.int().nonnegative(), last: hex(32) });

/** The two small files without which the journal cannot be read, and `frozen`, which the operator makes and removes. */
export const SMALL_FILES = ['journal-key.json', 'share-keys.json', 'frozen'] as const;
export type SmallFile = (typeof SMALL_FILES)[number];

/**
 * `run` names one process. `Put` carries one piece of one or more whole batches, and names the place of the batches. The replica
 * writes the batches once the last piece has arrived. `Get` requests the bytes from a place on.
 */
export const ReplicaRequest = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('Join') }),
  z.strictObject({ op: z.literal('Get'), segment: z.int().positive(), offsetBytes: z.int().nonnegative() }),
  z.strictObject({ op: z.literal('Begin'), journalId: Id, epoch: z.int().positive(), run: z.uuid(), at: Place }),
  z.strictObject({ op: z.literal('File'), name: z.enum(SMALL_FILES), isGone: z.boolean() }),
  z.strictObject({
    op: z.literal('Put'),
    segment: z.int().positive(),
    offsetBytes: z.int().nonnegative(),
    isLastPiece: z.boolean(),
  }),
]);
export type ReplicaRequest = z.infer<typeof ReplicaRequest>;

/**
 * `OlderEpoch`: another signer has begun since. `NotNext`: the bytes do not continue what the replica has. `Medium`: the
 * replica's folder cannot be written.
 */
export const ReplicaRefusal = z.enum(['OtherSigner', 'OlderEpoch', 'NotNext', 'Medium']);
export type ReplicaRefusal = z.infer<typeof ReplicaRefusal>;

/** The newest place comes first. A replica that rejoins offers earlier places too. */
export const Joined = z.strictObject({
  journalId: Id.nullable(),
  epoch: z.int().nonnegative(),
  isRejoining: z.boolean(),
  ends: z.array(Place).min(1).max(ENDS_MAX),
});
export type Joined = z.infer<typeof Joined>;

export const ReplicaReply = z.discriminatedUnion('ok', [
  z.strictObject({ ok: z.literal(true), joined: Joined.optional() }),
  z.strictObject({ ok: z.literal(false), reason: ReplicaRefusal }),
]);
export type ReplicaReply = z.infer<typeof ReplicaReply>;

export type Message<H> = { readonly head: H; readonly bytes: Buffer };

/** A heading in one line, and bytes. */
export const encodeReplicaMessage = (head: ReplicaRequest | ReplicaReply, bytes: Uint8Array = Buffer.alloc(0)): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]);

/** Throws for a malformed message. */
export function decodeReplicaMessage<H>(form: z.ZodType<H>, body: Buffer): Message<H> {
  const end = body.indexOf(NEW_LINE);
  return { head: form.parse(JSON.parse(body.toString('utf8', 0, Math.max(end, 0)))), bytes: body.subarray(end + 1) };
}
