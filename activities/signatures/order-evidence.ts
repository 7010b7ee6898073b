import { type Grounds, signedGrounds } from '../../application/approvals/signed-grounds';
import type { Reader } from '../../entities/database';
import type { SecretBox } from '../../platform/secret-box';
import type { SignPayloadOrder } from '../../signer/protocol';

type Evidence = SignPayloadOrder['evidence'][number];

/**
 * The signer does not accept larger evidence. For an organisation with a charter, the signer refuses an order without the signed
 * texts.
 */
const EVIDENCE_BYTES_MAX = 480 * 1024;
/** Leaves room in the message to the signer for the sealed key and the facts. */
const ORDER_BYTES_MAX = 960 * 1024;

/** Returns each user action as it was signed, with all data that a check of its signature and content needs (S2). */
export async function evidenceOf(
  reader: Reader,
  signedBodies: SecretBox,
  grounds: Grounds,
  /** The length of the content that the signer is to sign. */
  contentChars = 0,
): Promise<Evidence[]> {
  return fitting(await signedGrounds(reader, signedBodies, grounds), contentChars);
}

/** Leaves out the signed texts if they would make the order too large. */
export function fitting(evidence: readonly Evidence[], contentChars: number): Evidence[] {
  const bytesMax = Math.min(EVIDENCE_BYTES_MAX, ORDER_BYTES_MAX - contentChars);
  return Buffer.byteLength(JSON.stringify(evidence)) <= bytesMax ? [...evidence] : evidence.map(withoutTexts);
}

const withoutTexts = (one: Evidence): Evidence => {
  if (one.kind === 'Approval') return one;
  const { body: _body, decided: _decided, ...rest } = one;
  return rest;
};
