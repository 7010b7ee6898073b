import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { CHARTER_BYTES_MAX, type Charter, charterBytes, charterDigest, type SignedCharter } from '../signer/charters/charter';
import { offerCharter } from '../signer/charters/offer-charter';
import { enlarged, type JudgedOrganization } from './judged-organization';

type Content = JudgedOrganization['content'];
const OUTCOME_WITHIN_MS = 10 * 60_000;
const MEMBERS_MAX = 2_000;

export function createOperatorKey(): { readonly privateKey: KeyObject; readonly publicKeyHex: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, publicKeyHex: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex') };
}

/** Returns a function that makes the next charter of one organisation, signed by the operator. */
export function charterSeries(operatorKey: KeyObject, signerId: string, content: Content): () => SignedCharter {
  let last: Pick<Charter, 'sequence' | 'previous'> = { sequence: 0, previous: null };
  return () => {
    const { sequence, previous } = { sequence: last.sequence + 1, previous: last.previous };
    const text = JSON.stringify({ ...content, signerId, sequence, previous, dateIssued: new Date().toISOString() });
    last = { sequence, previous: charterDigest(text) };
    return { charter: text, signature: sign(null, charterBytes(text), operatorKey).toString('base64') };
  };
}

export async function adopt(stateDir: string, signed: SignedCharter): Promise<void> {
  const outcome = await offerCharter(stateDir, signed, OUTCOME_WITHIN_MS);
  if (outcome !== 'Adopted') throw new Error(`the signer did not adopt the charter: ${outcome ?? 'no outcome'}`);
}

/** Space for the members that `charterSeries` adds, and for longer ids. */
const ROOM_BYTES = 1_024;
const bytesOf = (content: Content) => Buffer.byteLength(JSON.stringify(content));

/** The largest charter of this organisation that a signer accepts, in the proportions of `enlarged`. */
export function largestContent(organization: JudgedOrganization): Content {
  const whole = enlarged(organization, MEMBERS_MAX);
  const cut = (members: number): Content => ({
    ...whole,
    members: whole.members.slice(0, members),
    wallets: whole.wallets.slice(0, 2 * members),
    policies: whole.policies.slice(0, Math.floor(members / 2)),
  });
  let [fits, isTooLarge] = [organization.content.members.length, MEMBERS_MAX];
  while (isTooLarge - fits > 1) {
    const middle = Math.floor((fits + isTooLarge) / 2);
    if (bytesOf(cut(middle)) + ROOM_BYTES <= CHARTER_BYTES_MAX) fits = middle;
    else isTooLarge = middle;
  }
  return cut(fits);
}
