import { randomBytes } from 'node:crypto';
import {
  changedOidcSettings,
  clientOf,
  OidcSettingsInput,
  oidcSettingsOf,
  oidcSettingsView,
} from '../../../application/login/oidc-settings';
import { createIdentityProviders } from '../../../platform/identity-providers';
import { createSecretBox } from '../../../platform/secret-box';

const sealing = { ssoSecrets: createSecretBox(randomBytes(32), 'sso-secrets'), identityProviders: createIdentityProviders([]) };
const ORG = 'or-01m7y-p9fnq-dh7smbz6kn20v8d3';
const NONE = { provider: null, socialProviders: [] };
const PROVIDER = { issuer: 'https://accounts.example.org', clientId: 'client', emailDomains: ['example.org'] };

const change = (given: unknown, before = oidcSettingsOf({})) =>
  changedOidcSettings(sealing, ORG, before, OidcSettingsInput.parse(given));
const withSecret = () => change({ provider: { ...PROVIDER, clientSecret: 'a secret' } });

test('the client secret is sealed, opened only for requests to the provider, and never returned', () => {
  const settings = withSecret();
  expect(JSON.stringify(settings)).not.toContain('a secret');
  expect(settings.provider && clientOf(sealing, ORG, settings.provider).clientSecret).toBe('a secret');
  expect(oidcSettingsView(settings)).toEqual({
    provider: { ...PROVIDER, onboardsNewUsers: false, hasClientSecret: true },
    socialProviders: [],
  });
});

test('a change without a secret keeps the stored secret only for the same client of the same issuer', () => {
  const before = withSecret();
  expect(change({ provider: { ...PROVIDER, emailDomains: ['example.net'] } }, before).provider?.sealedClientSecret).toBe(
    before.provider?.sealedClientSecret,
  );
  for (const other of [{ issuer: 'https://evil.example.org' }, { clientId: 'another' }]) {
    expect(change({ provider: { ...PROVIDER, ...other } }, before).provider?.sealedClientSecret).toBeNull();
  }
});

test('a sealed secret that was moved to another issuer or organisation cannot be opened', () => {
  const { provider } = withSecret();
  if (!provider) throw new Error('the settings have no provider');
  expect(() => clientOf(sealing, ORG, { ...provider, issuer: 'https://evil.example.org' })).toThrow();
  expect(() => clientOf(sealing, ORG.replace('8d3', '8d4'), provider)).toThrow();
});

test('an omitted setting stays, and null removes the provider', () => {
  const both = change({ socialProviders: [{ issuer: 'https://social.example.org', audiences: ['app'] }] }, withSecret());
  expect(both).toMatchObject({ provider: PROVIDER, socialProviders: [{ audiences: ['app'] }] });
  expect(change({ provider: null }, both)).toEqual({ ...both, provider: null });
  expect(change({ socialProviders: [] }, both).socialProviders).toEqual([]);
});

test.each([
  ['http://accounts.example.org', 'only https is allowed'],
  ['https://10.0.0.1', 'the address is not a public one'],
  ['nothing', 'must be an address'],
])('400: the issuer %s is not allowed; the error names the field and the reason', (issuer, message) => {
  const refusal = (given: unknown) => {
    try {
      return change(given);
    } catch (error) {
      return error;
    }
  };
  const issueAt = (path: string) => ({ code: 'InvalidRequest', details: { issues: [{ path, message }] } });
  expect(refusal({ provider: { ...PROVIDER, issuer } })).toMatchObject(issueAt('body.sso.provider.issuer'));
  const social = { socialProviders: [{ issuer, audiences: ['app'] }] };
  expect(refusal(social)).toMatchObject(issueAt('body.sso.socialProviders.0.issuer'));
});

test('an issuer may be named only once for end users, and a provider needs at least one valid domain', () => {
  const social = { issuer: 'https://social.example.org', audiences: ['app'] };
  expect(() => change({ socialProviders: [social, social] })).toThrow('names an issuer twice');
  for (const emailDomains of [[], ['Example.org'], ['*.example.org'], ['example'], ['@example.org']]) {
    expect(OidcSettingsInput.safeParse({ provider: { ...PROVIDER, emailDomains } }).success).toBe(false);
  }
});

test('unreadable settings are treated as settings without a provider', () => {
  for (const sso of [null, 1, 'x', { provider: {} }, { provider: PROVIDER }, { socialProviders: [{ issuer: 1 }] }]) {
    expect(oidcSettingsOf({ sso })).toEqual(NONE);
  }
  expect(oidcSettingsOf({})).toEqual(NONE);
});
