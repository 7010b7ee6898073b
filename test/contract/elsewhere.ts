type Elsewhere = { readonly file: string; readonly reason: string };

const oidc = (name: string): Elsewhere => ({
  file: `test/api/auth/oidc/${name}.test.ts`,
  reason: 'It needs an identity provider, which the local trial does not have',
});

const authority = (name: string): Elsewhere => ({
  file: `test/api/organizations/authority/${name}.test.ts`,
  reason: 'It returns a charter, and only an operator can give an organisation its first charter',
});

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
  receiveTravelRuleCallback: {
    file: 'test/api/integrations/receive-travel-rule-callback.test.ts',
    reason: 'The vendor signs the callback, which needs a message that the service has submitted to the vendor',
  },
};
