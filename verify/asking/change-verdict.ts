import { quoted } from '../../operator/charters/plain';
import { evaluate } from '../../policy/evaluate';
import type { CharterInForce } from '../../signer/charters/charter-in-force';
import { line } from '../content/content-words';

/** The policies that ask for approval if this member changes the policy `policyId`. Policies on changes never block. */
export function guardsOf({ content }: CharterInForce, policyId: string, initiatorId: string): readonly string[] {
  const { groups } = evaluate(content.changePolicies, { initiatorId, permissionId: null, policyId });
  return [...new Set(groups.map((demand) => demand.policyId))];
}

export const guardLines = (charter: CharterInForce, policyId: string, initiatorId: string): readonly string[] =>
  guardsOf(charter, policyId, initiatorId).map((id) => {
    const name = charter.content.changePolicies.find((policy) => policy.id === id)?.name ?? '';
    return line('Then waits', `for approval, by the policy ${id} ${quoted(name)}`);
  });
