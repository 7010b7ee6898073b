/** What a charter can allow a credential to do, with the permission that the service asks for. */
export const CHARTER_OPERATIONS = {
  transferAsset: 'Wallets:Transfers:Create',
  broadcastTransaction: 'Wallets:Transactions:Create',
  walletsGenerateSignature: 'Keys:Signatures:Create',
  keysGenerateSignature: 'Keys:Signatures:Create',
  createApprovalDecision: 'Policies:Approvals:Approve',
  releaseFreeze: 'Freezes:Release',
} as const satisfies Readonly<Record<string, string>>;
export type CharterOperation = keyof typeof CHARTER_OPERATIONS;
export const CHARTER_OPERATION_IDS = Object.keys(CHARTER_OPERATIONS) as CharterOperation[];
