import type { Action, GroupDefinition, PolicyInForce, Rule } from '../../domain/policies';
import type { Facts } from '../../policy/types';

export const RECIPIENT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** Facts of an ordinary transfer, worth one dollar. */
export function someFacts(set: Partial<Facts> = {}): Facts {
  return {
    walletId: 'wa-00000-00000-0000000000000001',
    walletTags: [],
    initiatorId: 'us-initiator',
    recipients: [RECIPIENT],
    amountUsdMicro: '1000000',
    network: 'EthereumSepolia',
    ...set,
  };
}

export const ALWAYS: Rule = { kind: 'AlwaysTrigger' };
export const NEVER: Rule = { kind: 'TransactionAmountLimit', configuration: { limit: 1_000_000, currency: 'USD' } };
export const BLOCK: Action = { kind: 'Block' };

export function askFor(groups: readonly GroupDefinition[], autoRejectTimeout?: number): Action {
  return { kind: 'RequestApproval', approvalGroups: groups, ...(autoRejectTimeout === undefined ? {} : { autoRejectTimeout }) };
}

export function somePolicy(id: string, set: Partial<PolicyInForce> = {}): PolicyInForce {
  return {
    id,
    name: `Policy ${id}`,
    version: 1,
    activityKind: 'Wallets:Sign',
    rule: ALWAYS,
    action: BLOCK,
    filters: null,
    mode: 'Enforce',
    ...set,
  };
}
