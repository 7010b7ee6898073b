import { waitingApprovals } from './approvals.js';
import { call, Refusal } from './calls.js';
import { button, element, facts, heading, paragraph } from './elements.js';
import { createPasskey } from './passkeys.js';
import { change, close, read, session } from './session.js';

/**
 * If this person may not read the section, returns an explanation, so that the other sections stay usable.
 * @param {() => Promise<Node[]>} load
 */
async function section(load) {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 403) throw error;
    return [paragraph(`You may not see this (${error.message}). Ask an administrator for the permission.`)];
  }
}

/**
 * @param {(news: string) => void} show shows the page again, with this notice
 */
export async function account(show) {
  return [
    heading('Waiting for you', 'account'),
    ...(await section(waitingApprovals)),
    element('h2', { textContent: 'Your credentials' }),
    ...(await section(() => credentials(show))),
    element('p', { className: 'actions' }, [
      button(
        'Log out',
        async () => {
          await call('PUT', '/auth/logout', { bearer: session()?.token ?? '', body: '{}' });
          close();
          location.hash = '#login';
        },
        'second',
      ),
    ]),
  ];
}

const KINDS = new Map([
  ['Fido2', 'passkey'],
  ['Key', 'key'],
  ['PasswordProtectedKey', 'password-protected key'],
  ['Password', 'password'],
  ['Totp', 'one-time codes'],
  ['RecoveryKey', 'recovery kit'],
]);

/** @param {(news: string) => void} show */
async function credentials(show) {
  const { items } = await read('/auth/credentials');
  const rows = items.map((/** @type {{ name: string, kind: string, isActive: boolean, dateCreated: string }} */ one) => [
    one.name,
    `${KINDS.get(one.kind) ?? one.kind}, ${one.isActive ? 'active' : 'not active'}, since ${new Date(one.dateCreated).toLocaleDateString()}`,
  ]);
  return [
    facts(rows, 'credentials'),
    element('p', { className: 'actions' }, [
      button('Add a passkey', async () => {
        const bearer = session()?.token ?? '';
        const challenge = await call('POST', '/auth/credentials/init', { bearer, body: JSON.stringify({ kind: 'Fido2' }) });
        const passkey = await createPasskey(challenge, `Passkey ${items.length + 1}`);
        await change('POST', '/auth/credentials', { ...passkey, challengeIdentifier: challenge.challengeIdentifier });
        show('The passkey was added.');
      }),
    ]),
  ];
}
