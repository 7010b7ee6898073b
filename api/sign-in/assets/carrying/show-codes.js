import { button, element } from '../elements.js';

/** Light modules around a code, without which a camera does not find it (ISO/IEC 18004). */
const BORDER = 4;
const PIXELS_PER_MODULE = 4;
/** Codes per second, beginning with the speed that every camera follows. */
const SPEEDS = [2, 4, 8];

/** The place where the service serves the library `qr`. The browser loads it only for codes. */
const WRITER = '/sign-in/qr/index.js';

/**
 * @param {HTMLCanvasElement} canvas
 * @param {boolean[][]} modules
 */
function draw(canvas, modules) {
  canvas.width = canvas.height = modules.length * PIXELS_PER_MODULE;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = '#000';
  for (const [y, row] of modules.entries())
    for (const [x, isDark] of row.entries())
      if (isDark) pen.fillRect(x * PIXELS_PER_MODULE, y * PIXELS_PER_MODULE, PIXELS_PER_MODULE, PIXELS_PER_MODULE);
}

/**
 * Shows the frames as QR codes, one after the other, until the view is replaced.
 * @param {readonly string[]} frames
 */
export async function codes(frames) {
  /** @type {import('qr')} */
  const { encodeQR } = await import(WRITER);
  const canvas = element('canvas', { className: 'code', role: 'img', ariaLabel: 'QR code' });
  const place = element('p', { id: 'code-number' });
  let at = -1;
  const next = () => {
    at = (at + 1) % frames.length;
    draw(canvas, encodeQR(frames[at] ?? '', 'raw', { ecc: 'medium', encoding: 'byte', border: BORDER }));
    place.textContent = `Code ${at + 1} of ${frames.length}`;
  };
  next();
  return [place, canvas, ...(frames.length > 1 ? [controls(canvas, next)] : [])];
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {() => void} next
 */
function controls(canvas, next) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  const speed = element(
    'select',
    {},
    SPEEDS.map((one) => element('option', { value: String(one), textContent: `${one} codes a second` })),
  );
  const pause = () => {
    clearInterval(timer);
    timer = undefined;
    toggle.textContent = 'Continue';
  };
  const run = () => {
    clearInterval(timer);
    timer = setInterval(() => (canvas.isConnected ? next() : pause()), 1_000 / Number(speed.value));
    toggle.textContent = 'Pause';
  };
  const toggle = button('Pause', async () => (timer === undefined ? run() : pause()), 'second');
  const step = button(
    'Next code',
    async () => {
      pause();
      next();
    },
    'second',
  );
  speed.addEventListener('change', run);
  run();
  return element('div', { className: 'actions' }, [toggle, step, element('label', {}, ['Speed', speed])]);
}
