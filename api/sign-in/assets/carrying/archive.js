import { button, element, facts, paragraph, say } from '../elements.js';
import { archiveRows } from '../fleet-files.js';
import { read } from '../session.js';
import { framesOf } from './frames.js';
import { codes } from './show-codes.js';

/** @typedef {import('../fleet-words.js').Group} Group */

/**
 * The archive as a file, and as codes that a camera at the device reads. Both have the same bytes.
 * @param {string} path
 * @param {Group} group
 */
export function archive(path, group) {
  const shown = element('div', { id: 'archive' });
  const fetched = async () => {
    shown.replaceChildren();
    const text = await read(`${path}/archive`);
    return { text, rows: facts(await archiveRows(text, group)) };
  };
  const asFile = button('Save the archive', async () => {
    const { text, rows } = await fetched();
    const name = `${group.groupId}.json`;
    save(text, name);
    shown.replaceChildren(rows);
    say(`The archive was saved as ${name}. Read its fingerprint aloud when the device shows it.`);
  });
  const asCodes = button(
    'Show as codes',
    async () => {
      const { text, rows } = await fetched();
      shown.replaceChildren(...(await codes(await framesOf(text))), paragraph(CODES), rows);
    },
    'second',
  );
  return [
    element('h2', { textContent: 'Archive for the device' }),
    element('p', { className: 'actions' }, [asFile, asCodes]),
    shown,
  ];
}

const CODES =
  'Each code is one line of text. A camera reads the codes in any order, and the command join of the device makes the archive of the lines.';

/**
 * @param {string} text
 * @param {string} name
 */
function save(text, name) {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  element('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
