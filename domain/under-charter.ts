/**
 * The effect of an operation on the signer, if the organisation has a charter. `Judged`: the signer judges the orders that
 * follow, by their effect or by people's signatures. `Amends`: the signed action of a member changes the charter, if the charter
 * lets the member do so. `Restricts`: the signer signs fewer requests from then on, and does not require a person's signature for
 * this operation. `NextCharter`: the signer takes the change into account only once the operator's next charter contains it.
 * `Nothing`: the operation does not affect the signer. For a key that an end user holds, `createKey`, `createWallet` and
 * `registerEndUser` take effect at once and do not change a charter.
 */
export type UnderCharter = 'Judged' | 'Amends' | 'Restricts' | 'NextCharter' | 'Nothing';

/** Every operation that may change something. Only operations that read (`get…`, `list…`) may be missing. */
export const UNDER_CHARTER = {
  transferAsset: 'Judged',
  cancelTransfer: 'Judged',
  speedUpTransfer: 'Judged',
  abortTransfer: 'Restricts',
  confirmTransfer: 'Nothing',
  broadcastTransaction: 'Judged',
  cancelTransaction: 'Judged',
  speedUpTransaction: 'Judged',
  abortTransaction: 'Restricts',
  confirmTransaction: 'Nothing',
  walletsGenerateSignature: 'Judged',
  walletsCancelSignature: 'Judged',
  keysGenerateSignature: 'Judged',

  createApprovalDecision: 'Judged',
  createApprovalDecisions: 'Judged',
  withdrawApproval: 'Restricts',
  createFreeze: 'Restricts',
  releaseFreeze: 'Judged',

  createWallet: 'Amends',
  importWallet: 'NextCharter',
  updateWallet: 'Nothing',
  tagWallet: 'Amends',
  untagWallet: 'Amends',
  delegateWallet: 'NextCharter',
  exportWallet: 'Judged',
  createKey: 'NextCharter',
  importKey: 'NextCharter',
  updateKey: 'Nothing',
  deleteKey: 'NextCharter',
  delegateKey: 'NextCharter',
  deriveKey: 'Judged',
  exportKey: 'Judged',

  createGenesisInput: 'Judged',
  submitGenesisOutput: 'Judged',
  createCloneInput: 'Judged',
  submitCloneOutput: 'Judged',
  createKeyHarvestInput: 'Judged',
  submitKeyHarvestOutput: 'Judged',
  createAddProvisionerInput: 'Judged',
  submitAddProvisionerOutput: 'Judged',
  createAddMacUserInput: 'Judged',
  submitAddMacUserOutput: 'Judged',
  approveFleetOperation: 'Judged',
  cancelFleetOperation: 'Nothing',
  rejectFleetOperation: 'Nothing',

  createPolicy: 'Amends',
  updatePolicy: 'Amends',
  archivePolicy: 'Amends',
  evaluatePolicies: 'Nothing',
  createBacktest: 'Nothing',
  createRegistryAddress: 'NextCharter',
  updateRegistryAddress: 'NextCharter',
  deleteRegistryAddress: 'NextCharter',
  backfillWalletHistory: 'Nothing',
  backfillAddressWatchHistory: 'Nothing',
  createAddressWatch: 'Nothing',
  deleteAddressWatch: 'Nothing',
  createContractSchema: 'Nothing',
  deleteContractSchema: 'Nothing',
  createFeeSponsor: 'NextCharter',
  activateFeeSponsor: 'NextCharter',
  deactivateFeeSponsor: 'NextCharter',
  deleteFeeSponsor: 'NextCharter',

  createUser: 'NextCharter',
  updateUser: 'Nothing',
  activateUser: 'NextCharter',
  deactivateUser: 'Amends',
  archiveUser: 'Amends',
  createServiceAccount: 'NextCharter',
  updateServiceAccount: 'Nothing',
  activateServiceAccount: 'NextCharter',
  deactivateServiceAccount: 'Amends',
  archiveServiceAccount: 'Amends',
  createPersonalAccessToken: 'NextCharter',
  updatePersonalAccessToken: 'Nothing',
  activatePersonalAccessToken: 'NextCharter',
  deactivatePersonalAccessToken: 'Amends',
  archivePersonalAccessToken: 'Amends',
  createPermission: 'Nothing',
  updatePermission: 'NextCharter',
  archivePermission: 'NextCharter',
  createAssignment: 'NextCharter',
  deleteAssignment: 'NextCharter',
  createCredentialChallenge: 'Nothing',
  createCredential: 'NextCharter',
  createCredentialCode: 'Nothing',
  createCredentialChallengeWithCode: 'Nothing',
  createCredentialWithCode: 'NextCharter',
  activateCredential: 'NextCharter',
  deactivateCredential: 'Amends',
  deleteCredential: 'Amends',

  createUserActionChallenge: 'Nothing',
  createUserActionSignature: 'Nothing',
  createRegistrationChallenge: 'Nothing',
  createDelegatedRegistrationChallenge: 'Judged',
  createSocialRegistrationChallenge: 'Nothing',
  resendRegistrationCode: 'Nothing',
  register: 'NextCharter',
  registerEndUser: 'Nothing',
  createLoginChallenge: 'Nothing',
  login: 'Nothing',
  sendLoginCode: 'Nothing',
  delegatedLogin: 'Nothing',
  logout: 'Nothing',
  ssoLoginInit: 'Nothing',
  ssoLogin: 'Nothing',
  oidcLoginInit: 'Nothing',
  oidcLogin: 'Nothing',
  socialLogin: 'Nothing',
  sendRecoveryCode: 'Nothing',
  createRecoveryChallenge: 'Nothing',
  createDelegatedRecoveryChallenge: 'Nothing',
  recover: 'NextCharter',
  stopRecovery: 'Nothing',

  updateOrganizationSettings: 'Nothing',
  createWebhook: 'Nothing',
  updateWebhook: 'Nothing',
  deleteWebhook: 'Nothing',
  pingWebhook: 'Nothing',
  activateIntegration: 'Nothing',
  deactivateIntegration: 'Nothing',
  testIntegration: 'Nothing',
  receiveTravelRuleCallback: 'Nothing',
  callFunction: 'Nothing',
} as const satisfies Readonly<Record<string, UnderCharter>>;

export type ChangingOperation = keyof typeof UNDER_CHARTER;
/** The operations with this effect on the signer. */
export type OperationsThat<S extends UnderCharter> = {
  [Id in ChangingOperation]: (typeof UNDER_CHARTER)[Id] extends S ? Id : never;
}[ChangingOperation];

const isChanging = (operation: string): operation is ChangingOperation => Object.hasOwn(UNDER_CHARTER, operation);
/** An operation that is not on the list only reads. */
export const underCharterOf = (operation: string): UnderCharter => (isChanging(operation) ? UNDER_CHARTER[operation] : 'Nothing');
