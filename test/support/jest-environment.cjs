const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { sharedGlobals } = require('./jest-runtime.cjs');
const { PATIENCE } = require('./patience.cjs');

/** A hook starts before each test, and its limit must grow only once. */
const lengthened = new WeakSet();

/**
 * Runs test files in the realm of the process, as the service itself runs. Jest's own environment makes a realm for each file.
 * There, a module that is loaded once per process would meet errors, arrays and dates of other realms. After each file, the
 * teardown removes everything that the file has left on `globalThis`, in the environment and on `process`.
 */
class ProcessRealm {
  constructor({ projectConfig }) {
    const timers = { idToRef: (id) => id, refToId: (timer) => timer };
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = new LegacyFakeTimers({
      config: projectConfig,
      global: globalThis,
      moduleMocker: this.moduleMocker,
      timerConfig: timers,
    });
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.before = {
      globals: Object.getOwnPropertyDescriptors(globalThis),
      env: { ...process.env },
      exit: process.exit,
      listeners: listenersOf(process),
    };
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Jest only checks that a context exists. Our runtime compiles without the context. */
  getVmContext() {
    return globalThis;
  }

  async setup() {}

  /** Lengthens the time limits of tests and hooks, both the default limit and limits that a file sets. */
  handleTestEvent({ name, test, hook }, state) {
    const one = { test_start: test, hook_start: hook }[name];
    if (!one || lengthened.has(one)) return;
    one.timeout = (one.timeout || state.testTimeout) * PATIENCE;
    lengthened.add(one);
  }

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    const { globals, env, exit, listeners } = this.before;
    for (const key of Reflect.ownKeys(globalThis)) {
      if (sharedGlobals.has(key)) continue;
      if (!Reflect.has(globals, key)) Reflect.deleteProperty(globalThis, key);
      else if (globals[key].configurable) Object.defineProperty(globalThis, key, globals[key]);
    }
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.exit = exit;
    for (const [event, now] of listenersOf(process)) {
      for (const one of now) if (!listeners.get(event)?.includes(one)) process.removeListener(event, one);
    }
  }
}

function listenersOf(emitter) {
  return new Map(emitter.eventNames().map((event) => [event, emitter.rawListeners(event)]));
}

module.exports = ProcessRealm;
