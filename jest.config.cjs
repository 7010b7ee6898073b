const { availableParallelism } = require('node:os');
const { join } = require('node:path');

// The same compiler settings as scripts/build.mjs, so that a test runs what dist/ runs.
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

const common = {
  rootDir: __dirname,
  roots: ['<rootDir>/test'],
  testEnvironment: join(__dirname, 'test', 'support', 'jest-environment.cjs'),
  runtime: join(__dirname, 'test', 'support', 'jest-runtime.cjs'),
  transform: { '\\.(ts|js|mjs)$': ['@swc/jest', SWC] },
  transformIgnorePatterns: ['/node_modules/', '<rootDir>/dist/', '<rootDir>/.cache/'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/', '<rootDir>/.cache/'],
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
      // A family of chains that is written into a copy of the tree; its own files lie beside the test and belong to no other tree.
      displayName: 'new-family',
      testMatch: ['<rootDir>/test/new-family/*.test.ts'],
    },
    {
      ...common,
      // Whole installations, each on free ports and in a data folder of its own, so that they run beside each other and the others.
      displayName: 'service',
      testMatch: ['<rootDir>/test/end-to-end/**/*.test.ts', '<rootDir>/test/red-team/**/*.test.ts'],
    },
  ],
  globalSetup: join(__dirname, 'test', 'support', 'global-setup.ts'),
  globalTeardown: join(__dirname, 'test', 'support', 'global-teardown.ts'),
  testSequencer: join(__dirname, 'test', 'support', 'sequencer.cjs'),
  testTimeout: 30_000,
  // Twice as many as there are processors: a test that waits for a process, a block or a vendor leaves its own to another.
  maxWorkers: availableParallelism() * 2,
};
