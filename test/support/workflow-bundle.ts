import { join } from 'node:path';

/** The workflows as the build bundled them, with what runs around each: what a worker loads when it is deployed. */
export const WORKFLOW_BUNDLE = { codePath: join(__dirname, '..', '..', 'dist', 'workflow-bundle.js') };
