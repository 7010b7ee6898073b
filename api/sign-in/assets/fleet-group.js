import { Refusal } from './calls.js';
import { button, element, facts, guarded, heading, paragraph, say } from './elements.js';
import { archiveRows, outputIn } from './fleet-files.js';
import { reasoned, review } from './fleet-review.js';
import { isBeingRecorded, isOpen, moment, nameOf, nextStep, outputPath, stateInWords } from './fleet-words.js';
import { change, changeWithFile, read, session } from './session.js';

/** @typedef {import('./fleet-words.js').Group} Group */

/**
 * @param {string} storeId
 * @param {string} groupId
 * @param {(news: string) => void} show shows the group again, with this notice
 */
export async function groupView(storeId, groupId, show) {
  const operations = `/key-stores/${encodeURIComponent(storeId)}/fleet-operations`;
  const path = `${operations}/${encodeURIComponent(groupId)}`;
  /** @type {Group} */
  const group = await read(path);
  const next = nextStep(group, session()?.userId);
  return [
    heading(`${nameOf(group)}: ${stateInWords(group)}`, 'group'),
    ...(next === undefined ? [] : [element('p', { id: 'next', textContent: next })]),
    ...(group.hindrance ? [paragraph(`The last approval failed: ${group.hindrance}`)] : []),
    ...(group.reason ? [paragraph(`Reason: ${group.reason}`)] : []),
    ...(group.status === 'Initialized' ? [...download(path, group), ...upload(group, show)] : []),
    ...review(group, path, show),
    element('h2', { textContent: 'About this group' }),
    facts(groupRows(group), 'about'),
    ...(isOpen(group) && !isBeingRecorded(group) ? [cancellation(operations, groupId, show)] : []),
    element('p', { className: 'actions' }, [
      ...(isOpen(group) ? [button('Show the state again', async () => show(''), 'second')] : []),
      element('a', { href: '#fleets', textContent: 'All groups' }),
    ]),
  ];
}

/** @param {Group} group */
function groupRows({ groupId, storeId, createdBy, dateCreated, ...group }) {
  /**
   * @param {string} name
   * @param {string | undefined} userId
   * @param {string | undefined} date
   */
  const by = (name, userId, date) =>
    userId === undefined || date === undefined
      ? []
      : [/** @type {const} */ ([name, `${userId === session()?.userId ? 'you' : userId}, ${moment(date)}`])];
  return [
    /** @type {const} */ (['Group', groupId]),
    /** @type {const} */ (['Key store', storeId]),
    ...by('Made by', createdBy, dateCreated),
    ...by('Output submitted by', group.submittedBy, group.dateSubmitted),
    ...(group.earlierReviews ?? []).flatMap(({ reviewedBy, dateReviewed }) => by('Approved by', reviewedBy, dateReviewed)),
    ...by('Reviewed by', group.reviewedBy, group.dateReviewed),
    ...by('Canceled by', group.canceledBy, group.dateCanceled),
  ];
}

/**
 * @param {string} path
 * @param {Group} group
 */
function download(path, group) {
  const shown = element('div', { id: 'archive' });
  return [
    element('h2', { textContent: 'Archive for the device' }),
    element('p', { className: 'actions' }, [
      button('Save the archive', async () => {
        const text = await read(`${path}/archive`);
        const rows = await archiveRows(text, group);
        const name = `${group.groupId}.json`;
        save(text, name);
        shown.replaceChildren(facts(rows));
        say(`The archive was saved as ${name}. Read its fingerprint aloud when the device shows it.`);
      }),
    ]),
    shown,
  ];
}

/**
 * @param {string} text
 * @param {string} name
 */
function save(text, name) {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  element('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/**
 * @param {Group} group
 * @param {(news: string) => void} show
 */
function upload(group, show) {
  const shown = element('div', { id: 'output' });
  /** @param {HTMLInputElement} input */
  const take = async (input) => {
    shown.replaceChildren();
    for (const other of shown.previousElementSibling?.querySelectorAll('input') ?? []) if (other !== input) other.value = '';
    const files = [...(input.files ?? [])];
    if (files.length === 0) return;
    const { rows, data, file } = await outputIn(files, group);
    const submit = button('Submit with a passkey', async () => {
      const { message, status } = await changeWithFile(outputPath(group), data, file).catch(withCheck);
      show(message ?? `The output was accepted. Its status is ${status}.`);
    });
    shown.replaceChildren(facts(rows), element('p', { className: 'actions' }, [submit]));
    say('Both files were read. Compare the fingerprints with the device, then submit.');
  };
  return [
    element('h2', { textContent: 'Output of the device' }),
    element('div', { className: 'choices' }, [
      picker('The two files output.json and output-file.json', { multiple: true, accept: '.json,application/json' }, take),
      picker('Or the folder that the device wrote', { webkitdirectory: true }, take),
    ]),
    shown,
  ];
}

/** The name of the failed check leads to its place in the records of the service. @param {unknown} error */
function withCheck(error) {
  if (!(error instanceof Refusal) || error.details['check'] === undefined) throw error;
  throw new Error(`The output was refused, and the group waits for another. ${error.message} (${error.details['check']})`, {
    cause: error,
  });
}

/**
 * @param {string} label
 * @param {Record<string, unknown>} properties
 * @param {(input: HTMLInputElement) => Promise<void>} take
 */
function picker(label, properties, take) {
  const input = /** @type {any} */ (element('input', { type: 'file', ...properties }));
  input.addEventListener('change', () => void guarded(input, () => take(input)));
  return element('label', {}, [label, input]);
}

/**
 * @param {string} operations
 * @param {string} groupId
 * @param {(news: string) => void} show
 */
const cancellation = (operations, groupId, show) =>
  element('details', {}, [
    element('summary', { textContent: 'Cancel this group' }),
    reasoned('Cancel with a passkey', async (reason) => {
      await change('POST', `${operations}/cancel`, { groupId, reason });
      show('Canceled. The service never accepts an output of this group.');
    }),
  ]);
