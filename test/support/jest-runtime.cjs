const { createRequire, isBuiltin } = require('node:module');
const { compileFunction } = require('node:vm');
const { default: Runtime, ...others } = require('jest-runtime');

const OF_JEST = /^(@jest\/|jest-|expect$)/;
const compiled = new Map();
const requireFrom = new Map();

/**
 * Each test file evaluates our modules of its own, but a worker compiles them once, and loads packages once, by Node's own `require`:
 * to load both for every file took more processor time than the tests. State that a package keeps therefore lasts as long as the worker.
 */
class SharedPackages extends Runtime {
  constructor(...args) {
    super(...args);
    const { executor } = this;
    executor.compile = (source, filename) => compileOnce(source, filename, executor.injectedModuleParameters);
  }

  requireModuleOrMock(from, name) {
    const isPackage = name && !/^[./]/.test(name) && !isBuiltin(name) && !OF_JEST.test(name);
    return isPackage ? nodeRequire(from, name) : super.requireModuleOrMock(from, name);
  }
}

/** Compared with the source, because in watch mode a file changes while the worker lives. */
function compileOnce(source, filename, parameters) {
  const known = compiled.get(filename);
  if (known?.source === source) return known.run;
  const run = compileFunction(source, parameters, { filename });
  compiled.set(filename, { source, run });
  return run;
}

function nodeRequire(from, name) {
  if (!requireFrom.has(from)) requireFrom.set(from, createRequire(from));
  return requireFrom.get(from)(name);
}

module.exports = { ...others, __esModule: true, default: SharedPackages };
