const { existsSync, readFileSync } = require('node:fs');
const { createRequire, isBuiltin } = require('node:module');
const { dirname, join, relative, resolve, sep } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime, ...others } = require('jest-runtime');
const folders = Object.keys(require('../../boundaries.cjs'));

const ROOT = join(__dirname, '..', '..');
const OF_JEST = /^(@jest\/|jest-|expect$)/;
/**
 * The mark in the first comment of a test file that changes the state of a module. Such a file gets its own modules, from the
 * sources.
 */
const OWN_MODULES = /^\/\*\*[^/]*@own-modules\b/;
const compiled = new Map();
const requireFrom = new Map();
const builtFiles = new Map();
/**
 * The keys that shared modules put on `globalThis` for the whole life of a worker. TypeORM keeps the data of its decorators
 * there.
 */
const sharedGlobals = new Set();

/**
 * Tests run the compiled files that ship. A worker loads these files and all packages once, with Node's own `require`, and
 * compiles each test file once. Loading everything for every test file took more processor time than the tests. The state of a
 * module lasts as long as the worker, as in a process of the service.
 */
class SharedModules extends Runtime {
  constructor(...args) {
    super(...args);
    const testPath = args[6];
    this.hasOwnModules = OWN_MODULES.test(readFileSync(testPath, 'utf8'));
    const { executor } = this;
    executor.compile = (source, filename) => compileOnce(source, filename, executor.injectedModuleParameters);
  }

  requireModuleOrMock(from, name) {
    // `jest.isolateModules` also demands its own modules.
    const path = sharedPath(from, name, this.hasOwnModules || this.registries.isolation);
    return path === undefined ? super.requireModuleOrMock(from, name) : nodeRequire(from, path);
  }
}

/** The path that Node's `require` loads once per worker. Undefined if Jest loads the module for each test file. */
function sharedPath(from, name, hasOwnModules) {
  if (!name || isBuiltin(name) || OF_JEST.test(name)) return undefined;
  if (!/^[./]/.test(name)) return name;
  return hasOwnModules ? undefined : builtFile(resolve(dirname(from), name));
}

/** The compiled file of one of our modules. Undefined for a file below `test/`. */
function builtFile(path) {
  if (!builtFiles.has(path)) builtFiles.set(path, findBuiltFile(path));
  return builtFiles.get(path);
}

function findBuiltFile(path) {
  const [folder, ...rest] = relative(ROOT, path).split(sep);
  if (!folders.includes(folder)) return undefined;
  const place = join(ROOT, 'dist', folder, ...rest);
  return [place, `${place}.js`, join(place, 'index.js')].find((one) => /\.(js|json)$/.test(one) && existsSync(one));
}

/** Compiles a file once, and again if its source has changed: in watch mode a file can change during the life of a worker. */
function compileOnce(source, filename, parameters) {
  const known = compiled.get(filename);
  if (known?.source === source) return known.run;
  const run = compileFunction(source, parameters, { filename });
  compiled.set(filename, { source, run });
  return run;
}

function nodeRequire(from, name) {
  if (!requireFrom.has(from)) requireFrom.set(from, createRequire(from));
  const before = new Set(Reflect.ownKeys(globalThis));
  const loaded = requireFrom.get(from)(name);
  for (const key of Reflect.ownKeys(globalThis)) if (!before.has(key)) sharedGlobals.add(key);
  return loaded;
}

module.exports = { ...others, __esModule: true, default: SharedModules, sharedGlobals };
