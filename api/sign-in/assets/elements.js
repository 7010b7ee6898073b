/**
 * Creates an element. Text is never parsed as markup.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [properties]
 * @param {(Node | string)[]} [children]
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, properties = {}, children = []) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** @param {string} text @param {string} [id] */
export const heading = (text, id = '') => element('h1', { id, textContent: text });

/** @param {string} text */
export const paragraph = (text) => element('p', { textContent: text });

/**
 * Creates a required input with its label.
 * @param {string} label
 * @param {string} name
 * @param {Record<string, unknown>} [properties]
 */
export function field(label, name, properties = {}) {
  return element('label', {}, [label, element('input', { name, required: true, autocomplete: 'off', ...properties })]);
}

/**
 * The button is disabled while the work runs, so that nothing is sent twice.
 * @param {(HTMLElement | string)[]} fields
 * @param {string} action
 * @param {(values: Record<string, string>) => Promise<void>} work
 */
export function form(fields, action, work) {
  const button = element('button', { textContent: action });
  const made = element('form', {}, [...fields, button]);
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    const values = Object.fromEntries(
      [...new FormData(/** @type {HTMLFormElement} */ (made))].map(([k, v]) => [k, `${v}`.trim()]),
    );
    void guarded(button, () => work(values));
  });
  return made;
}

/**
 * @param {string} text
 * @param {() => Promise<void>} work
 * @param {string} [className]
 */
export function button(text, work, className = '') {
  const made = element('button', { type: 'button', textContent: text, className });
  made.addEventListener('click', () => void guarded(made, work));
  return made;
}

/**
 * @param {HTMLElement} control
 * @param {() => Promise<void>} work
 */
export async function guarded(control, work) {
  say('');
  control.toggleAttribute('disabled', true);
  try {
    await work();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), 'fault');
  } finally {
    control.toggleAttribute('disabled', false);
  }
}

/**
 * Shows a notice, which screen readers also report.
 * @param {string} text
 * @param {'fault' | 'news'} [kind]
 */
export function say(text, kind = 'news') {
  const notice = /** @type {HTMLElement} */ (document.getElementById('notice'));
  notice.dataset['kind'] = kind;
  notice.textContent = text;
}

/**
 * Creates a table with a name and a value in each row.
 * @param {readonly (readonly [string, string])[]} rows
 * @param {string} [id]
 */
export function facts(rows, id = '') {
  const lines = rows.map(([name, value]) =>
    element('tr', {}, [element('th', { scope: 'row', textContent: name }), element('td', {}, grouped(value))]),
  );
  return element('table', { id }, [element('tbody', {}, lines)]);
}

const GROUP_CHARS = 4;
/** Long values without spaces, which people compare by eye. */
const COMPARED = /^[0-9A-Za-z]{26,128}$/;

/**
 * Groups the characters, so that people can compare a long value. The gaps are not part of a copied value.
 * @param {string} value
 */
function grouped(value) {
  if (!COMPARED.test(value)) return [value];
  const groups = value.match(new RegExp(`.{1,${GROUP_CHARS}}`, 'g')) ?? [];
  return [
    element(
      'code',
      {},
      groups.map((textContent) => element('span', { className: 'group', textContent })),
    ),
  ];
}
