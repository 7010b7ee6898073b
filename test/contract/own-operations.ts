type OwnOperations = { readonly operations: readonly string[]; readonly reason: string };

/** Operations that the published client does not have, as `id method path`. */
export const OWN_OPERATIONS: readonly OwnOperations[] = [
  {
    operations: ['getOrganizationSettings get /organizations/settings', 'updateOrganizationSettings put /organizations/settings'],
    reason: 'What an organisation may decide about itself is set by its people, not by whoever runs the service',
  },
  {
    operations: [
      'getAuthority get /organizations/authority',
      'listAmendments get /organizations/authority/amendments',
      'listCharterHeads get /organizations/authority/history',
    ],
    reason: 'The signer judges by a charter, and members have to see which one the service believes to be in force',
  },
  {
    operations: ['getWalletAttestation get /wallets/{walletId}/attestation'],
    reason: 'An address can be checked without trust in this service before money is sent to it',
  },
  {
    operations: ['listNetworks get /networks'],
    reason: 'Which networks there are, and what can be done on each, is a question that nobody should have to read sources for',
  },
  {
    operations: ['getApprovalEvidence get /v2/policy-approvals/{approvalId}/evidence'],
    reason: 'An approver can compute what the signature over a decision covers',
  },
  {
    operations: ['getTransferEvidence get /wallets/{walletId}/transfers/{transferId}/evidence'],
    reason: 'Who requested and who approved a payment can be proved afterwards without trust in this service',
  },
  {
    operations: [
      'explainApproval get /v2/policy-approvals/{approvalId}/explain',
      'explainTransfer get /wallets/{walletId}/transfers/{transferId}/explain',
      'explainTransaction get /wallets/{walletId}/transactions/{transactionId}/explain',
      'walletsExplainSignature get /wallets/{walletId}/signatures/{signatureId}/explain',
      'keysExplainSignature get /keys/{keyId}/signatures/{signatureId}/explain',
    ],
    reason: 'What waits says for what, since when, and who can do something about it',
  },
  {
    operations: [
      'confirmTransfer post /wallets/{walletId}/transfers/{transferId}/confirm',
      'confirmTransaction post /wallets/{walletId}/transactions/{transactionId}/confirm',
    ],
    reason: 'A payment that may have been asked for twice waits until somebody says that it is meant',
  },
  {
    operations: ['walletsCancelSignature post /wallets/{walletId}/signatures/{signatureId}/cancel'],
    reason: 'What was signed for a caller who never sends it would keep what it has claimed for ever',
  },
  {
    operations: ['getPolicyReachability get /v2/policies/{policyId}/reachability'],
    reason: 'A rule that some people could never get past is accepted as it is, so somebody has to be able to see it',
  },
  {
    operations: ['createApprovalDecisions post /v2/policy-approvals/decisions'],
    reason: 'Whoever decides about many held activities signs once for all of them, each by its own digest',
  },
  {
    operations: ['withdrawApproval post /v2/policy-approvals/{approvalId}/withdraw'],
    reason: 'Whoever has asked for something takes it back without being among those who decide about it',
  },
  {
    operations: ['deleteCredential delete /auth/credentials/{credentialUuid}'],
    reason: 'The specification names it; the published client stops at deactivating',
  },
  {
    operations: ['oidcLoginInit post /auth/login/oidc/init', 'oidcLogin post /auth/login/oidc'],
    reason: 'Later documentation names the pair without its paths; its completion lets a newcomer register',
  },
  {
    operations: ['listRecoveries get /auth/recover/user', 'stopRecovery delete /auth/recover/user/{recoveryId}'],
    reason: 'A recovery that waits must be seen by those whom it concerns, and can be stopped',
  },
  {
    operations: [
      'createFreeze post /freezes',
      'listFreezes get /freezes',
      'getFreeze get /freezes/{freezeId}',
      'releaseFreeze delete /freezes/{freezeId}',
    ],
    reason: 'What looks wrong is stopped at once by whoever sees it, and let go by more than one',
  },
  {
    operations: [
      'listIntegrations get /integrations',
      'getIntegration get /integrations/{integrationKind}',
      'activateIntegration put /integrations/{integrationKind}',
      'deactivateIntegration delete /integrations/{integrationKind}',
      'testIntegration post /integrations/{integrationKind}/test',
    ],
    reason: 'A policy that asks a vendor needs the vendor connected, which the specification presumes and nowhere offers',
  },
  {
    operations: [
      'createRegistryAddress post /registry/addresses',
      'listRegistryAddresses get /registry/addresses',
      'getRegistryAddress get /registry/addresses/{addressId}',
      'updateRegistryAddress put /registry/addresses/{addressId}',
      'deleteRegistryAddress delete /registry/addresses/{addressId}',
      'createContractSchema post /registry/contract-schemas',
      'listContractSchemas get /registry/contract-schemas',
      'getContractSchema get /registry/contract-schemas/{contractSchemaId}',
      'deleteContractSchema delete /registry/contract-schemas/{contractSchemaId}',
    ],
    reason: 'The specification names activities and permissions of a registry and no operations for it',
  },
  {
    operations: ['receiveTravelRuleCallback post /integrations/travel-rule/callbacks/{orgId}'],
    reason: 'The vendor says what the counterparty answered, which the specification waits for and names no way for',
  },
  {
    operations: [
      'evaluatePolicies post /v2/policies/evaluate',
      'listShadowResults get /v2/policies/{policyId}/shadow-results',
      'createBacktest post /v2/policies/backtests',
      'getBacktest get /v2/policies/backtests/{backtestId}',
      'listBacktestResults get /v2/policies/backtests/{backtestId}/results',
      'exportBacktestResults get /v2/policies/backtests/{backtestId}/results.csv',
    ],
    reason: 'A policy that was never tried is found wrong by what it stops',
  },
];
