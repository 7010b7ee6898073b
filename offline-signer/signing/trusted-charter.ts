import { z } from 'zod';
import { countWords, readingLines } from '../../operator/charters/charter-reading';
import { parseStrictJson } from '../../platform/strict-json';
import { CHARTER_BYTES_MAX, charterDigest, readCharter, readCharterInForce } from '../../signer/charters/charter';
import { type CharterInForce, charterInForce } from '../../signer/charters/charter-in-force';
import { hex } from '../../signer/wire/schemas';
import { Refused } from '../refused';
import type { Screen } from '../screen';

/** The file `charter.json` of the device: the text of a charter, and the digest that people have compared. */
const TrustedCharter = z.strictObject({ v: z.literal(1), digest: hex(32), charter: z.string().max(CHARTER_BYTES_MAX) });

type Place = { readonly orgId: string; readonly signerId: string };

/** People type this many digits of the digest: half of it, 128 bits. */
const TYPED_DIGITS = 32;

/** Throws `Refused` for a file that is not the charter of this organisation and signer, or that was changed. */
export function readTrustedCharter(text: string, { orgId, signerId }: Place): CharterInForce {
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  const trusted = json.ok ? TrustedCharter.safeParse(json.value).data : undefined;
  const content = trusted && charterDigest(trusted.charter) === trusted.digest ? readCharterInForce(trusted.charter) : undefined;
  if (!trusted || !content) throw new Refused('charter.json is not a charter that this device has trusted.');
  if (content.organizationId !== orgId || content.signerId !== signerId)
    throw new Refused('charter.json is the charter of another organisation or another signer.');
  return charterInForce(content, trusted.digest);
}

/**
 * Shows a charter, and trusts it if a person types the digest from an independent verifier. The screen does not show the digest,
 * so that the person cannot copy it from the file. Returns the text of `charter.json`. Throws `Refused`.
 */
export async function trustCharter(
  text: string,
  { before, ...place }: Place & { readonly before: CharterInForce | undefined },
  screen: Pick<Screen, 'say' | 'ask'>,
): Promise<string> {
  const content = readCharter(text);
  if (!content) throw new Refused('The file is not a charter that this release can read.');
  const digest = charterDigest(text);
  const trusted = JSON.stringify({ v: 1, digest, charter: text });
  readTrustedCharter(trusted, place);
  const sequence = before?.content.sequence ?? 0;
  if (content.sequence < sequence || (content.sequence === sequence && digest !== before?.digest))
    throw new Refused(`The device has trusted charter ${sequence}. This file is older, or another charter with the same number.`);
  screen.say([`Charter ${content.sequence}, issued ${content.dateIssued}`, countWords(content), ...readingLines(content)]);
  const typed = await screen.ask(
    `Type the first ${TYPED_DIGITS} digits of the charter's digest, as an independent machine shows them:`,
  );
  if (typed.replace(/\s/g, '').toLowerCase() !== digest.slice(0, TYPED_DIGITS))
    throw new Refused('These are not the digits of this charter. Nothing was changed.');
  return trusted;
}
