import { button, element, heading, paragraph } from './elements.js';
import { isOpen, moment, nameOf, nextStep, stateInWords } from './fleet-words.js';
import { read, session } from './session.js';

/** @typedef {import('./fleet-words.js').Group} Group */

/** The offline key stores with their groups. */
export async function fleets() {
  const { items } = await read('/key-stores');
  const stores = items.filter((/** @type {{ kind: string }} */ { kind }) => kind === 'OfflineSigner');
  const sections = await Promise.all(stores.map(storeSection));
  return [heading('Offline key stores'), ...(sections.length === 0 ? [paragraph(NONE)] : sections.flat())];
}

const NONE = 'Your organisation has no offline key store. The operator of this service can add one.';

/** @param {{ id: string, name: string, primary: boolean }} store */
async function storeSection({ id, name, primary }) {
  const path = `/key-stores/${encodeURIComponent(id)}/fleet-operations`;
  const { items, nextPageToken } = await read(path);
  const open = items.find(isOpen);
  /** @type {Group | undefined} */
  const details = open && (await read(`${path}/${encodeURIComponent(open.groupId)}`));
  const list = element('ul', {}, items.filter((/** @type {Group} */ one) => !isOpen(one)).map(lineOf));
  return [
    element('h2', { textContent: primary ? `${name} (primary)` : name }),
    ...(details ? openGroup(details) : [paragraph('No group is open.')]),
    ...(list.childElementCount === 0 ? [] : [element('h3', { textContent: 'Earlier groups' }), list]),
    ...(nextPageToken ? [more(path, nextPageToken, list)] : []),
  ];
}

/** @param {Group} group */
const linkTo = (group) =>
  element('a', { href: `#group/${group.storeId}/${group.groupId}`, textContent: `${nameOf(group)}: ${stateInWords(group)}` });

/** @param {Group} group */
const openGroup = (group) => [
  element('p', { className: 'open' }, [linkTo(group)]),
  paragraph(nextStep(group, session()?.userId) ?? ''),
];

/** @param {Group} group */
const lineOf = (group) => element('li', {}, [linkTo(group), `, made ${moment(group.dateCreated)}`]);

/**
 * @param {string} path
 * @param {string} pageToken
 * @param {HTMLElement} list
 */
function more(path, pageToken, list) {
  let token = pageToken;
  const made = button(
    'Show earlier groups',
    async () => {
      const { items, nextPageToken } = await read(`${path}?paginationToken=${encodeURIComponent(token)}`);
      list.append(...items.map(lineOf));
      if (nextPageToken) token = nextPageToken;
      else made.remove();
    },
    'second',
  );
  return made;
}
