import { account } from './account.js';
import { approvalView } from './approvals.js';
import { Refusal } from './calls.js';
import { element, say } from './elements.js';
import { logIn, recover, register } from './entering.js';
import { groupView } from './fleet-group.js';
import { fleets } from './fleets.js';
import { close, session } from './session.js';

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const nav = /** @type {HTMLElement} */ (document.getElementById('nav'));

/** @param {Node[]} nodes */
const replace = (nodes) => main.replaceChildren(...nodes);

/** The places to which a link leads after the login. @type {readonly (string | undefined)[]} */
const LINKED = ['approval', 'fleets', 'group'];

/** @param {string} place @returns {Promise<Node[]> | Node[]} */
function viewOf(place) {
  const [name, id = '', address = ''] = place.split('/');
  if (name === 'register') return register(replace, { orgId: id, username: decoded(address) });
  if (name === 'recover') return recover(replace, { orgId: id, username: decoded(address) });
  if (!session()) return logIn(() => go(LINKED.includes(name) ? place : 'account'));
  if (name === 'approval') return approvalView(id, (text) => go('account', text));
  if (name === 'fleets') return fleets();
  if (name === 'group') return groupView(id, address, (text) => go(place, text));
  return account((text) => go('account', text));
}

/** Decodes a part of a link; a truncated or mistyped link prefills nothing. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

let news = '';

/** @param {string} place @param {string} [text] */
function go(place, text = '') {
  news = text;
  if (location.hash === `#${place}`) void show();
  else location.hash = `#${place}`;
}

async function show() {
  say(news);
  news = '';
  const links = session()
    ? [
        ['account', 'Account'],
        ['fleets', 'Key stores'],
      ]
    : [
        ['login', 'Log in'],
        ['register', 'Register'],
        ['recover', 'Recover'],
      ];
  nav.replaceChildren(...links.map(([place = '', text = '']) => element('a', { href: `#${place}`, textContent: text })));
  try {
    replace(await viewOf(location.hash.slice(1)));
  } catch (error) {
    if (error instanceof Refusal && error.status === 401 && session()) {
      close();
      news = 'Your session has ended. Log in again.';
      return show();
    }
    replace([]);
    say(error instanceof Error ? error.message : String(error), 'fault');
  }
}

// A passkey belongs to a host name, not to an IP address.
if (location.hostname === '127.0.0.1') location.hostname = 'localhost';

addEventListener('hashchange', () => void show());
// The browser does nothing at a link to the place that it shows, but the service may have news.
addEventListener('click', ({ target }) => {
  const link = target instanceof Element ? target.closest('a') : null;
  if (link && link.hash !== '' && link.hash === location.hash) void show();
});
void show();
