import { Refusal } from '../calls.js';
import { button, element, facts, guarded, say } from '../elements.js';
import { outputIn, readFiles } from '../fleet-files.js';
import { outputPath } from '../fleet-words.js';
import { changeWithFile } from '../session.js';
import { codeReader } from './read-codes.js';

/** @typedef {import('../fleet-words.js').Group} Group */

/**
 * Takes the output of the device as files or as codes, shows what it says, and submits it.
 * @param {Group} group
 * @param {(news: string) => void} show
 */
export function output(group, show) {
  const shown = element('div', { id: 'output' });
  /** @param {readonly File[]} files */
  const take = async (files) => {
    const { rows, data, file } = await outputIn(files, group);
    const submit = button('Submit with a passkey', async () => {
      const { message, status } = await changeWithFile(outputPath(group), data, file).catch(withCheck);
      show(message ?? `The output was accepted. Its status is ${status}.`);
    });
    shown.replaceChildren(facts(rows), element('p', { className: 'actions' }, [submit]));
    say('Both files were read. Compare the fingerprints with the device, then submit.');
  };
  const pickers = [
    picker('The two files output.json and output-file.json', { multiple: true, accept: '.json,application/json' }),
    picker('Or the folder that the device wrote', { webkitdirectory: true }),
  ];
  for (const { input } of pickers)
    input.addEventListener('change', () => {
      shown.replaceChildren();
      for (const other of pickers) if (other.input !== input) other.input.value = '';
      const files = [...(input.files ?? [])];
      if (files.length > 0) void guarded(input, () => take(files));
    });
  const reader = codeReader(async (archives) => {
    shown.replaceChildren();
    for (const { input } of pickers) input.value = '';
    await take(readFiles(archives));
  });
  return [
    element('h2', { textContent: 'Output of the device' }),
    element(
      'div',
      { className: 'choices' },
      pickers.map(({ label }) => label),
    ),
    reader,
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
 * @param {string} text
 * @param {Record<string, unknown>} properties
 */
function picker(text, properties) {
  const input = element('input', { type: 'file', ...properties });
  return { input, label: element('label', {}, [text, input]) };
}
