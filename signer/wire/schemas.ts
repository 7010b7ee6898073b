import { z } from 'zod';

/** Hex without a prefix, for keys and rows. Values that a chain sees have the prefix 0x. */
export const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length * 2}}$`));
/** The form that `KEY_FORMS` names for the scheme and curve. */
export const PublicKey = z.union([hex(32), hex(33)]);
export const word = z.string().regex(/^0x[0-9a-f]{64}$/);
/** Hex after 0x. */
export const bytes = (least: number, most: number) => z.string().regex(new RegExp(`^0x(?:[0-9a-f]{2}){${least},${most}}$`));
export const base64 = (length: number) => z.base64().length(Math.ceil(length / 3) * 4);
export const inBytes = (most: number) => (text: string) => Buffer.byteLength(text) <= most;
export const Bytes = z
  .string()
  .regex(/^0x(?:[0-9a-f]{2})+$/)
  .max(40_960);
/** Like `Bytes`, but without the pattern that counts pairs of digits: that pattern is slow over many bytes. */
export const ManyBytes = (most: number) =>
  z
    .string()
    .max(2 + 2 * most)
    .regex(/^0x[0-9a-f]+$/)
    .refine((text) => text.length % 2 === 0);
export const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
export const Units = z.string().regex(/^(?:0|[1-9][0-9]{0,77})$/);
export const Address = z.string().min(1).max(128);
/** ISO 8601 in UTC. */
export const Moment = { issuedAt: z.iso.datetime(), notAfter: z.iso.datetime() };
