import type { KeyObject } from 'node:crypto';
import { plain } from '../operator/charters/plain';
import {
  type Charter,
  charterDigest,
  charterFaults,
  isSignedBy,
  operatorKeyOf,
  readCharter,
  SignedCharter,
} from '../signer/charters/charter';
import { type CharterInForce, charterInForce } from '../signer/charters/charter-in-force';
import type { Seen } from './home';
import { assertVerified, NotVerified, WrongUsage } from './not-verified';
import { jsonIn } from './read-file';

const RAW_KEY_BYTES = 32;
const HEX = /^[0-9a-fA-F]{64}$/;
const FAULTS_SHOWN = 5;

/** The operator's public key in hex, as `authority:key` prints it, or in base64. Returns hex. */
export function operatorKeyIn(text: string): string {
  const raw = Buffer.from(text, HEX.test(text) ? 'hex' : 'base64');
  if (raw.length !== RAW_KEY_BYTES)
    throw new WrongUsage('--operator-key must be the 32 bytes of the public half that authority:key printed, in base64 or hex.');
  return raw.toString('hex');
}

function keyOf(operatorKeyHex: string): KeyObject {
  try {
    return operatorKeyOf(Buffer.from(operatorKeyHex, 'hex'));
  } catch {
    throw new WrongUsage('--operator-key is not a valid Ed25519 public key.');
  }
}

type Verified = { readonly signed: SignedCharter; readonly digest: string; readonly content: Charter };

/** Throws `NotVerified` unless the text is a charter that the operator signed. */
function verified(signed: SignedCharter, operatorKeyHex: string): Verified {
  const { charter: text } = signed;
  assertVerified(
    isSignedBy(keyOf(operatorKeyHex), signed),
    'The operator did not sign this charter. The file was changed, or another party signed it.',
  );
  const content = readCharter(text);
  if (!content) {
    const faults = charterFaults(text).slice(0, FAULTS_SHOWN).map(plain);
    throw new NotVerified(
      ['The operator signed this file, and this program cannot read it as a charter of its release:', ...faults].join('\n  '),
    );
  }
  return { signed, digest: charterDigest(text), content };
}

export const signedCharterIn = (path: string, operatorKeyHex: string): Verified =>
  verified(jsonIn(path, SignedCharter, 'a signed charter'), operatorKeyHex);

/** The folder may have changed since the charter was trusted, so the signature is verified each time. */
export function charterOf({ signed, operatorKey, digest, sequence }: Seen): CharterInForce {
  const { content, digest: found } = verified(signed, operatorKey);
  assertVerified(
    found === digest && content.sequence === sequence,
    'Your own folder contradicts itself: its charter is not the one that it remembers.',
  );
  return charterInForce(content, digest);
}
