import { z } from 'zod';
import { countWords, readingLines } from '../../operator/charters/charter-reading';
import { parseStrictJson } from '../../platform/strict-json';
import { CHARTER_BYTES_MAX, charterDigest, readCharter, readCharterInForce, SignedCharter } from '../../signer/charters/charter';
import { type CharterInForce, charterInForce } from '../../signer/charters/charter-in-force';
import { hex } from '../../signer/wire/schemas';
import { Refused } from '../refused';
import type { Session } from '../session';
import { assertTyped } from '../typed';

/** The file `charter.json` of the device: the text of a charter, and the digest that people have compared. */
const TrustedCharter = z.strictObject({ v: z.literal(1), digest: hex(32), charter: z.string().max(CHARTER_BYTES_MAX) });

/** In a signed charter, each quotation mark of the charter takes two characters. */
const FILE_CHARS_MAX = 2 * CHARTER_BYTES_MAX + 1_024;

/** `signerId` is undefined while no input names the signer. */
type Place = { readonly orgId: string; readonly signerId?: string };

/** Throws `Refused` for a file that is not the charter of this organisation and signer, or that was changed. */
export function readTrustedCharter(text: string, { orgId, signerId }: Place): CharterInForce {
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  const trusted = json.ok ? TrustedCharter.safeParse(json.value).data : undefined;
  const content = trusted && charterDigest(trusted.charter) === trusted.digest ? readCharterInForce(trusted.charter) : undefined;
  if (!trusted || !content) throw new Refused('charter.json is not a charter that this device has trusted.');
  if (content.organizationId !== orgId || (signerId !== undefined && content.signerId !== signerId))
    throw new Refused('charter.json is the charter of another organisation or another signer.');
  return charterInForce(content, trusted.digest);
}

/** A signed charter contains the text of the charter. Throws `Refused` for a text that no charter needs. */
function charterTextIn(file: string): string {
  if (file.length > FILE_CHARS_MAX) throw new Refused('The file is longer than any charter.');
  const json = parseStrictJson(Buffer.from(file, 'utf8'));
  return (json.ok ? SignedCharter.safeParse(json.value).data?.charter : undefined) ?? file;
}

/**
 * Shows a charter, and trusts it if a person types the fingerprint that an independent machine shows. The file may be the signed
 * charter of the operator or the text that the signer reports after an amendment: only the fingerprint counts. Throws `Refused`.
 */
export async function trustCharter({ open, screen }: Session, { charter: file }: { readonly charter: string }): Promise<void> {
  const text = charterTextIn(file);
  const { orgId } = open.committedManifest().manifest;
  const content = readCharter(text);
  if (!content) throw new Refused('The file is not a charter that this release can read.');
  const digest = charterDigest(text);
  const trusted = JSON.stringify({ v: 1, digest, charter: text });
  readTrustedCharter(trusted, { orgId });
  const known = open.textOf('charter.json');
  const before = known === undefined ? undefined : readTrustedCharter(known, { orgId });
  const sequence = before?.content.sequence ?? 0;
  if (content.sequence < sequence || (content.sequence === sequence && digest !== before?.digest))
    throw new Refused(`The device has trusted charter ${sequence}. This file is older, or another charter with the same number.`);
  screen.say([`Charter ${content.sequence}, issued ${content.dateIssued}`, countWords(content), ...readingLines(content)]);
  await assertTyped(screen, `the charter ${content.sequence}`, digest);
  open.keepText('charter.json', trusted);
}
