import { waitingApprovals } from './approvals.js';
import { call } from './calls.js';
import { button, element, facts, heading } from './elements.js';
import { createPasskey } from './passkeys.js';
import { change, close, read, session } from './session.js';

/** @param {(news: string) => void} show */
export async function account(show) {
  const { items } = await read('/auth/credentials');
  const rows = items.map((/** @type {{ name: string, kind: string, isActive: boolean, dateCreated: string }} */ one) => [
    one.name,
    `${one.kind}, ${one.isActive ? 'active' : 'not active'}, since ${new Date(one.dateCreated).toLocaleDateString()}`,
  ]);
  return [
    heading('Waiting for you', 'account'),
    ...(await waitingApprovals()),
    element('h2', { textContent: 'What you sign with' }),
    facts(rows, 'credentials'),
    element('p', { className: 'actions' }, [
      button('Add a passkey', async () => {
        const bearer = session()?.token ?? '';
        const challenge = await call('POST', '/auth/credentials/init', { bearer, body: JSON.stringify({ kind: 'Fido2' }) });
        const passkey = await createPasskey(challenge, `Passkey ${items.length + 1}`);
        await change('POST', '/auth/credentials', { ...passkey, challengeIdentifier: challenge.challengeIdentifier });
        show('The passkey was added.');
      }),
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
