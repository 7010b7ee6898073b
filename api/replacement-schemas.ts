import { z } from 'zod';

export const EmptyBody = z.strictObject({}).optional();

/** What both forms of request say about the members that they share. */
export const REPLACEMENT_ID =
  'The request that was made to take the place of this one; of one that was made so, whose place it is to take';
export const DETAILS = '`Constructed`: built, and with the signer. `Aborting`: the signer has been asked never to sign it';
