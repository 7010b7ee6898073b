import type { OrganizationNow } from '../../application/charters/organization-now';
import {
  CHARTER_CODE,
  type Charter,
  type CharterEndUsers,
  type CharterLimit,
  type CharterOnRecord,
  type CharterSeen,
} from '../../signer/wire/operator-api';

type Place = {
  readonly signerId: string;
  readonly orgId: string;
  /** Undefined for an organisation without a charter. */
  readonly inForce: CharterOnRecord | undefined;
  /** Replaces the limits of the charter in force. */
  readonly limits?: readonly CharterLimit[] | undefined;
  /** Replaces `seen` of the charter in force; null removes it. */
  readonly seen?: CharterSeen | null | undefined;
  /** Replaces the mainnets of the charter in force; an empty list removes them. */
  readonly mainnets?: readonly string[] | undefined;
  /** The time that an approved export must wait. Undefined if no key may be exported. */
  readonly waitHours?: number | undefined;
  /** Undefined if the signer does not sign for end users. */
  readonly endUsers?: CharterEndUsers | undefined;
};
const FAULTS_SHOWN = 10;

/**
 * Returns the exact text of the next charter. Throws an error with the reasons if the signer would not accept the text as a
 * charter.
 */
export function draftCharter(
  { content, exportPolicies: policies }: Pick<OrganizationNow, 'content' | 'exportPolicies'>,
  { signerId, orgId, inForce, limits: given, seen: wanted, mainnets: named, waitHours, endUsers }: Place,
  now: Date,
): { readonly text: string; readonly charter: Charter } {
  const head = {
    v: 1,
    signerId,
    organizationId: orgId,
    sequence: (inForce?.sequence ?? 0) + 1,
    previous: inForce?.digest ?? null,
    dateIssued: now.toISOString(),
  };
  const walletIds = new Set(content.wallets.map(({ id }) => id));
  const limits = given ?? inForce?.charter.limits.filter(({ walletId }) => walletIds.has(walletId)) ?? [];
  const seen = wanted === undefined ? inForce?.charter.seen : (wanted ?? undefined);
  const mainnets = named ?? inForce?.charter.mainnets ?? [];
  const more = {
    ...(mainnets.length === 0 ? {} : { mainnets }),
    ...(waitHours === undefined ? {} : { exports: { waitHours, policies } }),
    ...(endUsers === undefined ? {} : { endUsers }),
  };
  const text = JSON.stringify({ ...head, ...content, limits, seen, ...more });
  const charter = CHARTER_CODE.read(text);
  if (!charter) {
    const faults = CHARTER_CODE.faults(text).slice(0, FAULTS_SHOWN);
    throw new Error(['The signer would not accept this charter:', ...faults.map((fault) => `  ${fault}`)].join('\n'));
  }
  return { text, charter };
}
