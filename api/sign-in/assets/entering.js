import { call, Refusal } from './calls.js';
import { element, field, form, heading, paragraph, say } from './elements.js';
import { answerWithPasskey, createPasskey } from './passkeys.js';
import { createRecoveryKit, readRecoveryKit, signRecovery } from './recovery-kit.js';
import { open } from './session.js';

const ORGANISATION = 'strongroom.organisation';
const PASSKEY_NAME = 'Passkey';

/** The last organisation is prefilled, because its id is long to type and not a secret. */
const organisation = (given = '') =>
  field('Organisation', 'orgId', { value: given || (localStorage.getItem(ORGANISATION) ?? ''), placeholder: 'or-…' });
const email = (given = '') => field('E-mail', 'username', { type: 'email', autocomplete: 'username webauthn', value: given });

/** @param {object} fields */
const json = (fields) => ({ body: JSON.stringify(fields) });

/**
 * The service does not reveal the exact cause of a refusal to strangers, so the hint names likely causes.
 * @template T
 * @param {string} hint
 * @param {() => Promise<T>} enter
 * @returns {Promise<T>}
 */
async function hinted(hint, enter) {
  try {
    return await enter();
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) throw new Error(`${error.message} ${hint}`, { cause: error });
    throw error;
  }
}
const CHECK_CODE = 'Check organisation, e-mail and code; each code works once and for a short time.';

/** @param {() => void} show shows the next view */
export function logIn(show) {
  return [
    heading('Log in'),
    form([organisation(), email()], 'Log in with a passkey', async ({ orgId = '', username }) => {
      const { token } = await hinted('Check organisation and e-mail, and use a passkey of this account.', async () => {
        const challenge = await call('POST', '/auth/login/init', json({ orgId, username }));
        const { challengeIdentifier } = challenge;
        const firstFactor = await answerWithPasskey(challenge);
        return call('POST', '/auth/login', json({ challengeIdentifier, firstFactor }));
      });
      if (token === undefined) throw new Error('This account signs in with its identity provider.');
      localStorage.setItem(ORGANISATION, orgId);
      open(token);
      show();
    }),
  ];
}

/** @param {string} dateEffective when the new credentials take effect */
const later = (dateEffective) => [
  heading('Recovery pending'),
  paragraph(
    `Your new passkey and recovery kit take effect at ${new Date(dateEffective).toLocaleString()}. Until then the former ones remain valid, and you or an administrator can stop the recovery.`,
  ),
];

/** @param {string} text the lines that the person must keep */
function kit(text) {
  return element('section', { id: 'recovery-kit' }, [
    element('h2', { textContent: 'Your recovery kit' }),
    paragraph(
      'Keep these two lines in a safe place. They are shown only once and restore your access if you lose every passkey.',
    ),
    element('pre', { id: 'recovery-kit-text', textContent: text }),
    element('a', { href: '#login', textContent: 'I have kept it: log in' }),
  ]);
}

/**
 * @param {(nodes: Node[]) => void} replace
 * @param {{ orgId: string, username: string }} invited from the link in the mail
 */
export function register(replace, { orgId: invitedTo, username: invited }) {
  const code = () => field('Registration code', 'registrationCode', { placeholder: 'ABC-123-DEF' });
  const resend = form([organisation(invitedTo), email(invited)], 'Send a new code', async ({ orgId, username }) => {
    await call('PUT', '/auth/registration/code', json({ orgId, username }));
    say('If there is such an account, a new code is on its way.');
  });
  return [
    heading('Register'),
    form(
      [organisation(invitedTo), email(invited), code()],
      'Register with a passkey',
      async ({ orgId = '', username, registrationCode }) => {
        const asked = json({ orgId, username, registrationCode });
        const challenge = await hinted(CHECK_CODE, () => call('POST', '/auth/registration/init', asked));
        const firstFactorCredential = await createPasskey(challenge, PASSKEY_NAME);
        const { credential: recoveryCredential, text } = await createRecoveryKit(challenge.challenge);
        const bearer = challenge.temporaryAuthenticationToken;
        await call('POST', '/auth/registration', { bearer, ...json({ firstFactorCredential, recoveryCredential }) });
        localStorage.setItem(ORGANISATION, orgId);
        replace([heading('You are registered'), kit(text)]);
      },
    ),
    element('details', {}, [element('summary', { textContent: 'The code no longer works' }), resend]),
  ];
}

/**
 * @param {(nodes: Node[]) => void} replace
 * @param {{ orgId: string, username: string }} mailedTo from the link in the mail
 */
export function recover(replace, { orgId: mailedOrg, username: mailed }) {
  const kitText = element('label', {}, [
    'Recovery kit (both lines)',
    element('textarea', { name: 'kit', required: true, rows: 3 }),
  ]);
  return [
    heading('Recover'),
    paragraph('All your current passkeys, recovery keys and access tokens become void.'),
    form([organisation(mailedOrg), email(mailed)], 'Send me a code', async ({ orgId, username }) => {
      await call('POST', '/auth/recover/user/code', json({ orgId, username }));
      say('If there is such an account, a code is on its way.');
    }),
    element('h2', { textContent: 'With the code' }),
    form(
      [organisation(mailedOrg), email(mailed), field('Code', 'verificationCode', { placeholder: 'ABC-123-DEF' }), kitText],
      'Recover with a new passkey',
      async ({ orgId = '', username, verificationCode, kit: text = '' }) => {
        const old = readRecoveryKit(text);
        const asked = { orgId, username, verificationCode, credentialId: old.credId };
        const challenge = await hinted(CHECK_CODE, () => call('POST', '/auth/recover/user/init', json(asked)));
        const sealed = challenge.allowedRecoveryCredentials.find((/** @type {{ id: string }} */ { id }) => id === old.credId);
        if (!sealed) throw new Error('The recovery kit does not fit.');
        const firstFactorCredential = await createPasskey(challenge, PASSKEY_NAME);
        const fresh = await createRecoveryKit(challenge.challenge);
        const newCredentials = { firstFactorCredential, recoveryCredential: fresh.credential };
        const recovery = await signRecovery(old, sealed.encryptedRecoveryKey, newCredentials);
        const bearer = challenge.temporaryAuthenticationToken;
        const { recovery: waiting } = await call('POST', '/auth/recover/user', { bearer, ...json({ recovery, newCredentials }) });
        replace([...(waiting ? later(waiting.dateEffective) : [heading('Recovered')]), kit(fresh.text)]);
      },
    ),
  ];
}
