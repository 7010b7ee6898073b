const { availableParallelism } = require('node:os');
const { join } = require('node:path');

// The same compiler settings as in scripts/build.mjs, so that tests run the same code as dist/.
const SWC = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'commonjs', importInterop: 'swc' },
  sourceMaps: 'inline',
  swcrc: false,
};

/**
 * Tests that take minutes, for example because they compile the whole tree several times. `npm test -- --nightly` runs them
 * together with all other tests.
 */
const NIGHTLY = '\\.nightly\\.test\\.ts$';

const common = {
  rootDir: __dirname,
  roots: ['<rootDir>/test'],
  testEnvironment: join(__dirname, 'test', 'support', 'jest-environment.cjs'),
  runtime: join(__dirname, 'test', 'support', 'jest-runtime.cjs'),
  transform: { '\\.(ts|js|mjs)$': ['@swc/jest', SWC] },
  transformIgnorePatterns: ['/node_modules/', '<rootDir>/dist/', '<rootDir>/.cache/'],
  testPathIgnorePatterns: [
    ...['/node_modules/', '<rootDir>/dist/', '<rootDir>/.cache/'],
    ...(process.env.STRONGROOM_NIGHTLY === 'true' ? [] : [NIGHTLY]),
  ],
};

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: [
        ...common.testPathIgnorePatterns,
        ...['end-to-end', 'new-family', 'red-team'].map((folder) => `<rootDir>/test/${folder}/`),
      ],
    },
    {
      ...common,
      // Tests that write a new family of chains into a copy of the tree. The code of that family is in the folder of the tests.
      displayName: 'new-family',
      testMatch: ['<rootDir>/test/new-family/*.test.ts'],
    },
    {
      ...common,
      // Tests of whole installations. Each uses free ports and its own data folder, so that all tests can run at the same time.
      displayName: 'service',
      testMatch: ['<rootDir>/test/end-to-end/**/*.test.ts', '<rootDir>/test/red-team/**/*.test.ts'],
    },
  ],
  globalSetup: join(__dirname, 'test', 'support', 'global-setup.ts'),
  globalTeardown: join(__dirname, 'test', 'support', 'global-teardown.ts'),
  testSequencer: join(__dirname, 'test', 'support', 'sequencer.cjs'),
  testTimeout: 30_000,
  // Twice the number of processors, because a test that waits for a process, a block or a vendor leaves its processor idle.
  maxWorkers: availableParallelism() * 2,
};
