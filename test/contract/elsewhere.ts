type Elsewhere = { readonly file: string; readonly reason: string };

const oidc = (name: string): Elsewhere => ({
  file: `test/api/auth/oidc/${name}.test.ts`,
  reason: 'It needs an identity provider, which the local trial does not have',
});

const authority = (name: string): Elsewhere => ({
  file: `test/api/organizations/authority/${name}.test.ts`,
  reason: 'It returns a charter, and only an operator can give an organisation its first charter',
});

const OFFLINE = 'It needs an offline key store, which only an operator can add';
const ceremony = (name: string): Elsewhere => ({ file: `test/api/key-stores/ceremonies/${name}.test.ts`, reason: OFFLINE });
const signing = (name: string): Elsewhere => ({
  file: `test/api/key-stores/device-signatures/${name}.test.ts`,
  reason: OFFLINE,
});
const fleet = (name: string): Elsewhere => ({ file: `test/api/key-stores/fleets/${name}.test.ts`, reason: OFFLINE });

/**
 * Operations that the end-to-end test of the contract omits. Instead, `file` carries out the operation and records its example.
 */
export const ELSEWHERE: Readonly<Record<string, Elsewhere>> = {
  ssoLoginInit: oidc('sso-login-init'),
  ssoLogin: oidc('sso-login'),
  oidcLoginInit: oidc('oidc-login-init'),
  oidcLogin: oidc('oidc-login'),
  socialLogin: oidc('social-login'),
  createSocialRegistrationChallenge: oidc('create-social-registration-challenge'),
  getAuthority: authority('get-authority'),
  listAmendments: authority('list-amendments'),
  listCharterHeads: authority('list-charter-heads'),
  createGenesisInput: ceremony('create-genesis-input'),
  submitGenesisOutput: ceremony('submit-genesis-output'),
  createCloneInput: ceremony('create-clone-input'),
  submitCloneOutput: ceremony('submit-clone-output'),
  createKeyHarvestInput: ceremony('create-key-harvest-input'),
  submitKeyHarvestOutput: ceremony('submit-key-harvest-output'),
  createAddProvisionerInput: ceremony('create-add-provisioner-input'),
  submitAddProvisionerOutput: ceremony('submit-add-provisioner-output'),
  createAddMacUserInput: ceremony('create-add-mac-user-input'),
  submitAddMacUserOutput: ceremony('submit-add-mac-user-output'),
  createOnchainSignInput: signing('create-onchain-sign-input'),
  submitOnchainSignOutput: signing('submit-onchain-sign-output'),
  createProofOfControlInput: signing('create-proof-of-control-input'),
  submitProofOfControlOutput: signing('submit-proof-of-control-output'),
  cancelFleetOperation: fleet('cancel-fleet-operation'),
  listFleetOperations: fleet('list-fleet-operations'),
  getFleetOperation: fleet('get-fleet-operation'),
  getFleetOperationArchive: fleet('get-fleet-operation-archive'),
  approveFleetOperation: fleet('approve-fleet-operation'),
  rejectFleetOperation: fleet('reject-fleet-operation'),
  receiveTravelRuleCallback: {
    file: 'test/api/integrations/receive-travel-rule-callback.test.ts',
    reason: 'The vendor signs the callback, which needs a message that the service has submitted to the vendor',
  },
};
