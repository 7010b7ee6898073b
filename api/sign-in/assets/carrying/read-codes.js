import { button, element } from '../elements.js';
import { createCollection } from './frames.js';

/** @typedef {import('./frames.js').Collection} Collection */
/** @typedef {(archives: readonly Uint8Array<ArrayBuffer>[]) => Promise<void>} Take */

/** The place where the service serves this part of the library `qr`. */
const READER = '/sign-in/qr/decode.js';
/** A code that the camera has seen only in part is not decoded, and is shown again. */
const LOOKS_PER_SECOND = 15;
/** A wider picture takes longer to search, and finds no more codes. */
const WIDTH_PX = 1_280;

/**
 * Reads the files of an output as codes from a camera, or as frames in text.
 * @param {Take} take
 */
export const codeReader = (take) =>
  element('details', {}, [
    element('summary', { textContent: 'Or read codes from the screen of the device' }),
    fromCamera(take),
    fromText(take),
  ]);

/** @param {Take} take */
function fromText(take) {
  const area = element('textarea', { name: 'frames', rows: 3, spellcheck: false });
  const read = button(
    'Read the frames',
    async () => {
      const collection = createCollection();
      for (const [at, line] of area.value.split('\n').entries())
        if (line.trim() !== '' && !(await collection.take(line.trim())))
          throw new Error(`Line ${at + 1} is not an intact frame of the two files.`);
      await take(await collection.archives());
    },
    'second',
  );
  return element('div', { className: 'choices' }, [element('label', {}, ['Frames of both files, one a line', area]), read]);
}

/** @param {Take} take */
function fromCamera(take) {
  const shown = element('div', { id: 'camera' });
  const start = button('Read codes with the camera', async () => {
    const stream = await cameraStream();
    const video = element('video', { srcObject: stream, muted: true, playsInline: true });
    const state = element('p', { textContent: 'Show the codes of both files, one file after the other.' });
    const stop = element('button', { type: 'button', textContent: 'Stop', className: 'second' });
    shown.replaceChildren(video, state, stop);
    const stopped = new Promise((resolve) => stop.addEventListener('click', () => resolve(undefined)));
    try {
      await video.play();
      const collection = createCollection();
      if (await collected(video, collection, state, stopped)) await take(await collection.archives());
    } finally {
      for (const track of stream.getTracks()) track.stop();
      shown.replaceChildren();
    }
  });
  return element('div', {}, [start, shown]);
}

/** @returns {Promise<MediaStream>} */
async function cameraStream() {
  // Browsers offer cameras only to pages that came over TLS.
  if (!navigator.mediaDevices) throw new Error('This browser has no camera for this page. Choose the two files instead.');
  const video = { facingMode: 'environment', width: { ideal: WIDTH_PX } };
  return navigator.mediaDevices.getUserMedia({ video }).catch((error) => {
    throw new Error(`The camera could not be used: ${error.message}`, { cause: error });
  });
}

/**
 * Returns true when both files are complete, and false if a person has stopped the camera or left the view.
 * @param {HTMLVideoElement} video
 * @param {Collection} collection
 * @param {HTMLElement} state
 * @param {Promise<unknown>} stopped
 */
async function collected(video, collection, state, stopped) {
  /** @type {import('qr/decode.js')} */
  const { decodeQR } = await import(READER);
  const canvas = element('canvas');
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { willReadFrequently: true }));
  let isStopped = false;
  void stopped.then(() => {
    isStopped = true;
  });
  while (!collection.isWhole()) {
    if (isStopped || !video.isConnected) return false;
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    pen.drawImage(video, 0, 0);
    const text = codeIn(decodeQR, pen.getImageData(0, 0, canvas.width, canvas.height));
    if (text !== undefined && (await collection.take(text))) state.textContent = collection.progress();
    await new Promise((resolve) => setTimeout(resolve, 1_000 / LOOKS_PER_SECOND));
  }
  return true;
}

/**
 * The decoder throws if a picture has no code.
 * @param {(image: ImageData) => string} decode
 * @param {ImageData} image
 */
function codeIn(decode, image) {
  try {
    return decode(image);
  } catch {
    return undefined;
  }
}
