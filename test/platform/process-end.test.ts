import { ConfigError } from '../../platform/config';
import { createLogger } from '../../platform/logger';
import { endAtSignal, endSignal, reportFault, runMain } from '../../platform/process-end';
import { waitUntil } from '../support/wait-until';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const before = SIGNALS.map((signal) => process.listeners(signal));
const logger = createLogger('api', 'silent');
let exits: unknown[] = [];
let written = '';

beforeEach(() => {
  exits = [];
  written = '';
  jest.spyOn(process, 'exit').mockImplementation(((code: unknown) => exits.push(code)) as never);
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const [at, signal] of SIGNALS.entries())
    for (const listener of process.listeners(signal)) if (!before[at]?.includes(listener)) process.off(signal, listener);
});

const untilExit = () => waitUntil('the process to end', () => exits.length > 0);

test.each(SIGNALS)('%s ends a process with exit code 0 after the process has stopped', async (signal) => {
  const done: string[] = [];
  endAtSignal(logger, async () => {
    done.push(`stopped, ${exits.length} exits before`);
  });
  process.emit(signal);
  await untilExit();
  expect([done, exits]).toEqual([['stopped, 0 exits before'], [0]]);
});

test('a second signal neither stops a process again nor kills the process before it has stopped', async () => {
  let stops = 0;
  let finish: () => void = () => undefined;
  endAtSignal(logger, () => {
    stops += 1;
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  process.emit('SIGINT');
  await waitUntil('the stop to begin', () => stops === 1);
  const heard = [process.emit('SIGTERM'), process.emit('SIGINT')];
  finish();
  await untilExit();
  expect([heard, stops, exits]).toEqual([[true, true], 1, [0]]);
});

test('a process that does not stop cleanly ends with exit code 1', async () => {
  endAtSignal(logger, () => Promise.reject(new Error('still writing')));
  process.emit('SIGTERM');
  await untilExit();
  expect(exits).toEqual([1]);
});

test('only the first signal has an effect', async () => {
  const first = endSignal();
  process.emit('SIGINT', 'SIGINT');
  process.emit('SIGTERM', 'SIGTERM');
  expect(await first).toBe('SIGINT');
});

describe('a start that fails ends with exit code 1', () => {
  class Foreseen extends Error {}
  const fails = async (error: Error, ...rest: readonly [before?: string, foreseen?: readonly (typeof Foreseen)[]]) => {
    runMain(
      () => Promise.reject(error),
      (fault) => reportFault(fault, ...rest),
    );
    await untilExit();
    expect(exits).toEqual([1]);
    return written;
  };

  test('with one sentence for a fault of the configuration', async () => {
    expect(await fails(new ConfigError('PORT is missing'))).toBe('PORT is missing\n');
  });

  test('with one sentence for a refusal by the operating system', async () => {
    const refused = Object.assign(new Error('listen EADDRINUSE'), { syscall: 'listen' });
    expect(await fails(refused, 'It does not start: ')).toBe('It does not start: listen EADDRINUSE\n');
  });

  test('with one sentence for a foreseen error, and with a stack for all other errors', async () => {
    expect(await fails(new Foreseen('taken'), '', [Foreseen])).toBe('taken\n');
    exits = [];
    written = '';
    expect(await fails(new Error('unforeseen'), '', [Foreseen])).toMatch(/^Error: unforeseen\n {4}at /);
  });
});
