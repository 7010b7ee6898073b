type OwnOperations = { readonly operations: readonly string[]; readonly reason: string };

/** Operations that the published client does not have, as `id method path`. */
export const OWN_OPERATIONS: readonly OwnOperations[] = [
  {
    operations: ['getOrganizationSettings get /organizations/settings', 'updateOrganizationSettings put /organizations/settings'],
    reason: 'The people of an organisation change its settings, and not the operator of the service',
  },
  {
    operations: [
      'getAuthority get /organizations/authority',
      'listAmendments get /organizations/authority/amendments',
      'listCharterHeads get /organizations/authority/history',
    ],
    reason:
      'The signer decides by a charter (the signed rules of the organisation), and members must see the one that the service uses',
  },
  {
    operations: ['getWalletAttestation get /wallets/{walletId}/attestation'],
    reason: 'A sender can check an address without trust in this service before sending money to it',
  },
  {
    operations: ['listEvents get /events', 'listFeedCheckpoints get /events/checkpoints'],
    reason: 'A receiver of webhooks cannot know whether it has received every event; a reader of the feed can prove it',
  },
  {
    operations: ['exportActivities get /activities/export'],
    reason: 'The specification limits an export of activities, for which it has a permission but no operation',
  },
  {
    operations: ['listAuditEntries get /audit-log', 'listAuditCheckpoints get /audit-log/checkpoints'],
    reason: 'A list of changes as CSV can be edited unnoticed; a reader of the chain can prove that no entry was edited',
  },
  {
    operations: ['listNetworks get /networks'],
    reason: 'A caller must be able to list the networks and their features without reading source code',
  },
  {
    operations: ['getNetworkScan get /networks/{network}/scan'],
    reason: 'A caller who relies on the history can see up to which block the network was read, and how blocks were proved',
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
    reason: 'An explanation states why a request waits, since when, and who can act on it',
  },
  {
    operations: [
      'confirmTransfer post /wallets/{walletId}/transfers/{transferId}/confirm',
      'confirmTransaction post /wallets/{walletId}/transactions/{transactionId}/confirm',
    ],
    reason: 'A payment that may be an accidental duplicate waits until a person confirms it',
  },
  {
    operations: ['walletsCancelSignature post /wallets/{walletId}/signatures/{signatureId}/cancel'],
    reason: 'A signed transaction that the caller never sends would hold its nonce or coins for ever',
  },
  {
    operations: ['getPolicyReachability get /v2/policies/{policyId}/reachability'],
    reason: 'The service accepts a policy that some initiators can never get approved, so people must be able to detect it',
  },
  {
    operations: ['createApprovalDecisions post /v2/policy-approvals/decisions'],
    reason: 'One signature decides many held activities, and covers the digest of each',
  },
  {
    operations: [
      'createKeyHarvestInput post /key-stores/{storeId}/key-harvest/input',
      'submitKeyHarvestOutput post /key-stores/{storeId}/key-harvest/output',
      'createAddProvisionerInput post /key-stores/{storeId}/add-provisioner/input',
      'submitAddProvisionerOutput post /key-stores/{storeId}/add-provisioner/output',
      'createAddMacUserInput post /key-stores/{storeId}/add-mac-user/input',
      'submitAddMacUserOutput post /key-stores/{storeId}/add-mac-user/output',
      'cancelFleetOperation post /key-stores/{storeId}/fleet-operations/cancel',
    ],
    reason: 'Later sources describe these operations, which the compared version of the published client does not have',
  },
  {
    operations: [
      'listFleetOperations get /key-stores/{storeId}/fleet-operations',
      'getFleetOperation get /key-stores/{storeId}/fleet-operations/{groupId}',
      'getFleetOperationArchive get /key-stores/{storeId}/fleet-operations/{groupId}/archive',
      'approveFleetOperation post /key-stores/{storeId}/fleet-operations/{groupId}/approve',
      'rejectFleetOperation post /key-stores/{storeId}/fleet-operations/{groupId}/reject',
    ],
    reason: 'The specification shows that a group is reviewed, and has no operation for the review',
  },
  {
    operations: ['withdrawApproval post /v2/policy-approvals/{approvalId}/withdraw'],
    reason: 'An initiator can withdraw a request without being one of its approvers',
  },
  {
    operations: ['deleteCredential delete /auth/credentials/{credentialUuid}'],
    reason: 'The specification has this operation; the published client can only deactivate a credential',
  },
  {
    operations: ['oidcLoginInit post /auth/login/oidc/init', 'oidcLogin post /auth/login/oidc'],
    reason: 'Later documentation mentions both operations without paths; the second operation lets a new person register',
  },
  {
    operations: ['listRecoveries get /auth/recover/user', 'stopRecovery delete /auth/recover/user/{recoveryId}'],
    reason: 'The people concerned must be able to see and stop a waiting recovery',
  },
  {
    operations: [
      'createFreeze post /freezes',
      'listFreezes get /freezes',
      'getFreeze get /freezes/{freezeId}',
      'releaseFreeze delete /freezes/{freezeId}',
    ],
    reason: 'One person can freeze at once; a release needs more than one person',
  },
  {
    operations: [
      'listIntegrations get /integrations',
      'getIntegration get /integrations/{integrationKind}',
      'activateIntegration put /integrations/{integrationKind}',
      'deactivateIntegration delete /integrations/{integrationKind}',
      'testIntegration post /integrations/{integrationKind}/test',
    ],
    reason: 'A policy that queries a vendor needs a connection, for which the specification has no operation',
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
    reason: 'The specification has activities and permissions for a registry, but no operations',
  },
  {
    operations: ['receiveTravelRuleCallback post /integrations/travel-rule/callbacks/{orgId}'],
    reason: "The vendor reports the counterparty's answer, for which the specification has no operation",
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
    reason: 'If a policy cannot be tried out, the first sign of a fault in it is a legitimate activity that it blocks',
  },
  {
    operations: [
      'createAddressWatch post /address-watches',
      'listAddressWatches get /address-watches',
      'getAddressWatch get /address-watches/{addressWatchId}',
      'deleteAddressWatch delete /address-watches/{addressWatchId}',
      'getAddressWatchAssets get /address-watches/{addressWatchId}/assets',
      'getAddressWatchHistory get /address-watches/{addressWatchId}/history',
      'listAddressWatchBlockchainEvents get /address-watches/{addressWatchId}/blockchain-events',
      'listWalletBlockchainEvents get /wallets/{walletId}/blockchain-events',
    ],
    reason: 'The specification has these operations; the published client is older',
  },
  {
    operations: [
      'backfillWalletHistory post /wallets/{walletId}/history/backfill',
      'getWalletBackfill get /wallets/{walletId}/history/backfill',
      'backfillAddressWatchHistory post /address-watches/{addressWatchId}/history/backfill',
      'getAddressWatchBackfill get /address-watches/{addressWatchId}/history/backfill',
    ],
    reason:
      'In the specification a history begins when the service learns the address, but an imported wallet has earlier movements',
  },
];
